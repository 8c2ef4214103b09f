package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest changes in memory: a ring by revision, bounded in number and bytes.
 *
 * <p>Threads: one writer; readers take no lock, and any thread may drop compacted changes. If a slot does not hold the
 * change of the requested revision, the reader uses the log.
 */
final class RecentChanges {
    private final AtomicReferenceArray<@Nullable Change> ring;
    private final long bytesMax;

    /** The bytes of the changes in the ring: the thread that removes one subtracts it. */
    private final AtomicLong bytes = new AtomicLong();

    // Only for the writer: the oldest kept revision, and the next one.
    private long oldest;
    private long next;

    RecentChanges(int changesMax, long bytesMax, long head) {
        this.ring = new AtomicReferenceArray<>(changesMax);
        this.bytesMax = bytesMax;
        this.oldest = head + 1;
        this.next = head + 1;
    }

    /** Adds the change of the next revision. */
    void add(Change change) {
        if (next - oldest == ring.length()) {
            dropOldest();
        }
        bytes.addAndGet(change.bytes());
        ring.set(slot(change.revision()), change);
        next = change.revision() + 1;
        while (bytes.get() > bytesMax && oldest < next) {
            dropOldest();
        }
    }

    /** The changes from one revision up to another, with a limit; null if one of them is not here. */
    @Nullable
    List<Change> range(long first, long last, int countMax, long bytesMax) {
        if (last - first >= ring.length()) {
            return null;
        }
        var found = new ArrayList<Change>((int) Math.min(countMax, last - first + 1));
        long foundBytes = 0;
        for (long revision = first; revision <= last && found.size() < countMax && foundBytes < bytesMax; revision++) {
            Change change = ring.get(slot(revision));
            if (change == null || change.revision() != revision) {
                return null;
            }
            found.add(change);
            foundBytes += change.bytes();
        }
        return found;
    }

    /** Drops the changes up to a compacted revision. */
    void forget(long lastRevision) {
        for (int slot = 0; slot < ring.length(); slot++) {
            Change change = ring.get(slot);
            if (change != null && change.revision() <= lastRevision && ring.compareAndSet(slot, change, null)) {
                bytes.addAndGet(-change.bytes());
            }
        }
    }

    /** The bytes of its keys and values. */
    long bytes() {
        return bytes.get();
    }

    private void dropOldest() {
        Change dropped = ring.getAndSet(slot(oldest), null);
        if (dropped != null) {
            bytes.addAndGet(-dropped.bytes());
        }
        oldest++;
    }

    private int slot(long revision) {
        return (int) (revision % ring.length());
    }
}
