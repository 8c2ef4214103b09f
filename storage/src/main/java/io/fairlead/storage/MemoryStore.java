package io.fairlead.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests and for clusters that need not outlive their process. It grows until compacted.
 *
 * <p>Threads: one lock for everything.
 */
public final class MemoryStore implements RevisionedStore {
    private static final long FIRST_REVISION = 1;

    private final ReentrantLock lock = new ReentrantLock();
    /** The values of each key by revision; a deletion is an entry without a value. */
    private final NavigableMap<String, NavigableMap<Long, Version>> versions = new TreeMap<>();

    private final NavigableMap<Long, Change> log = new TreeMap<>();
    private final Head head = new Head(FIRST_REVISION);
    private long compacted = FIRST_REVISION;
    private volatile boolean closed;

    @Override
    public long revision() {
        return head.revision();
    }

    @Override
    public long compactedRevision() {
        lock.lock();
        try {
            return compacted;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CommitResult commit(Write write) {
        Limits.check(write);
        lock.lock();
        try {
            checkOpen();
            Entry current = standing(write.key(), revision());
            long currentRevision = current == null ? 0 : current.revision();
            if (currentRevision != write.expectedRevision()) {
                return new CommitResult.Mismatch(current);
            }
            return new CommitResult.Committed(store(write, current));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Entry get(String key) {
        lock.lock();
        try {
            return get(key, revision());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Entry get(String key, long revision) {
        lock.lock();
        try {
            checkRevision(revision);
            return standing(key, revision);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Entry> list(String prefix, @Nullable String after, int countMax, long revision) {
        lock.lock();
        try {
            checkRevision(revision);
            var found = new ArrayList<Entry>();
            boolean fromAfter = after != null && after.compareTo(prefix) >= 0;
            for (String key : versions.tailMap(fromAfter && after != null ? after : prefix, !fromAfter)
                    .keySet()) {
                if (!key.startsWith(prefix) || (countMax > 0 && found.size() == countMax)) {
                    break;
                }
                Entry entry = standing(key, revision);
                if (entry != null) {
                    found.add(entry);
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Page page(String prefix, @Nullable String after, long bytesMax, long revision) {
        List<Entry> all = list(prefix, after, 0, revision);
        int count = 0;
        for (long bytes = 0; count < all.size() && bytes < bytesMax; count++) {
            bytes += all.get(count).bytes();
        }
        return new Page(List.copyOf(all.subList(0, count)), count < all.size());
    }

    @Override
    public long count(String prefix, @Nullable String after, long revision) {
        return list(prefix, after, 0, revision).size();
    }

    @Override
    public List<Change> changes(long afterRevision, int countMax, long bytesMax) {
        Limits.checkCount(countMax);
        lock.lock();
        try {
            checkOpen();
            if (afterRevision >= revision()) {
                return List.of();
            }
            checkRevision(afterRevision);
            var found = new ArrayList<Change>();
            long bytes = 0;
            for (Change change : log.tailMap(afterRevision, false).values()) {
                if (found.size() == countMax || bytes >= bytesMax) {
                    break;
                }
                found.add(change);
                bytes += change.bytes();
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long awaitRevisionAbove(long revision, Duration timeout) throws InterruptedException {
        return head.awaitAbove(revision, timeout);
    }

    @Override
    public void compact(long revision) {
        lock.lock();
        try {
            checkOpen();
            if (revision > revision()) {
                throw new IllegalArgumentException(
                        "compaction at revision " + revision + " (expected at most " + revision() + ", the newest)");
            }
            compacted = Math.max(compacted, revision);
            log.headMap(compacted, true).clear();
            versions.values().forEach(this::forget);
            versions.values().removeIf(Map::isEmpty);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isSound() {
        return !closed;
    }

    @Override
    public Optional<String> shortage() {
        return Optional.empty();
    }

    @Override
    public Optional<String> defect() {
        return closed ? Optional.of("the store is closed") : Optional.empty();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            head.close();
        } finally {
            lock.unlock();
        }
    }

    private long store(Write write, @Nullable Entry previous) {
        long revision = revision() + 1;
        long createRevision = previous == null ? revision : previous.createRevision();
        byte[] value = switch (write) {
            case Write.Put put -> put.value();
            case Write.Delete ignored -> null;
        };
        Entry entry = value == null ? null : new Entry(write.key(), value, revision, createRevision);
        versions.computeIfAbsent(write.key(), key -> new TreeMap<>()).put(revision, new Version(entry));
        log.put(revision, new Change(revision, write.key(), value, previous));
        head.advance(revision);
        return revision;
    }

    private @Nullable Entry standing(String key, long revision) {
        NavigableMap<Long, Version> all = versions.get(key);
        Map.Entry<Long, Version> version = all == null ? null : all.floorEntry(revision);
        return version == null ? null : version.getValue().entry();
    }

    /** Drops what no revision from the compacted one on can see. */
    private void forget(NavigableMap<Long, Version> all) {
        Map.Entry<Long, Version> standing = all.floorEntry(compacted);
        if (standing != null) {
            boolean live = standing.getValue().entry() != null;
            all.headMap(standing.getKey(), !live).clear();
        }
    }

    private void checkRevision(long revision) {
        checkOpen();
        Limits.checkRevision(revision, compacted, revision());
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreException(StoreException.Reason.CLOSED, "the store is closed", null);
        }
    }

    /** The value of a key from one revision on: an entry, or none after a deletion. */
    private record Version(@Nullable Entry entry) {}
}
