package io.fairlead.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An embedded store in its own directory, on RocksDB.
 *
 * <p>Writes of all callers become durable in batches, one sync for each. A process that ends at any moment loses no
 * acknowledged write; a machine that loses power loses none if its disk keeps what it has synced.
 *
 * <p>Threads: a single writer; callers of {@link #commit} wait for it without a lock or a native call, so virtual
 * threads are suitable. Reads are short native calls.
 */
public final class EmbeddedStore implements RevisionedStore {
    static final long FIRST_REVISION = 1;

    private final StoreDirectory foothold;
    private final RevisionFiles files;
    private final Head head;
    private final RevisionNote note;
    private final RecentChanges recent;
    private final CommitQueue queue;
    private final Committer committer;
    private final Compaction compaction;
    private final Thread writer;
    private volatile boolean closed;

    /**
     * Opens the store in a directory, which is created if missing.
     *
     * @throws StoreException if the directory is in use, cannot be read or written, or is not a store of this version
     */
    public static EmbeddedStore open(Path directory, StoreOptions options) {
        return open(directory, options, Disk.at(directory));
    }

    static EmbeddedStore open(Path directory, StoreOptions options, Disk disk) {
        Path database;
        StoreDirectory foothold;
        try {
            database = prepare(directory, disk);
            foothold = StoreDirectory.in(database);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
        RevisionNote note = new RevisionNote(directory, database);
        note.checkManifest();
        RevisionFiles files = RevisionFiles.open(database, options, disk);
        try {
            return new EmbeddedStore(directory, foothold, files, note, options, disk);
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /** Makes what is missing of a store's directory, and answers the folder of its files. */
    static Path prepare(Path directory, Disk disk) throws IOException {
        DurableFiles.createFolder(directory, disk);
        FormatMarker.checkOrCreate(directory, disk);
        NativeLibrary.load(directory.resolve("native"));
        Path database = directory.resolve("rocksdb");
        DurableFiles.createFolder(database, disk);
        return database;
    }

    static StoreException unusable(Path directory, IOException why) {
        return new StoreException(
                StoreException.Reason.DAMAGED, "the store's directory " + directory + " cannot be used", why);
    }

    private EmbeddedStore(
            Path directory,
            StoreDirectory foothold,
            RevisionFiles files,
            RevisionNote note,
            StoreOptions options,
            Disk disk) {
        this.foothold = foothold;
        this.files = files;
        this.head = new Head(files.number(FileKeys.HEAD, FIRST_REVISION));
        this.note = note;
        note.check(head.revision());
        note.take(head.revision());
        this.recent = new RecentChanges(options.recentChangesMax(), options.recentBytesMax(), head.revision());
        this.queue = new CommitQueue(options.commitQueueBytesMax(), options.commitWait());
        this.committer = new Committer(queue, files, recent, head, note, disk, foothold, options.diskReserveBytes());
        this.compaction = new Compaction(files, committer);
        compaction.compact(compaction.compacted());
        this.writer = Thread.ofPlatform().name("store-writer " + directory).start(committer);
    }

    @Override
    public long revision() {
        return head.revision();
    }

    @Override
    public long compactedRevision() {
        return compaction.compacted();
    }

    @Override
    public CommitResult commit(Write write) {
        Limits.check(write);
        committer.checkSound();
        try {
            return queue.put(write).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException refused ? told(refused) : e;
        } catch (StoreException e) {
            // The queue is closed once the writer has failed.
            committer.checkSound();
            throw e;
        }
    }

    @Override
    public @Nullable Entry get(String key) {
        while (true) {
            long newest = revision();
            try {
                return get(key, newest);
            } catch (CompactedException e) {
                // A newer revision was committed and this one compacted in between: read the newer one.
                if (newest == revision()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public @Nullable Entry get(String key, long revision) {
        return readAt(revision, () -> Optional.ofNullable(files.entry(key, revision)))
                .orElse(null);
    }

    @Override
    public List<Entry> list(String prefix, @Nullable String after, int countMax, long revision) {
        return readAt(revision, () -> files.list(prefix, after, countMax, revision));
    }

    @Override
    public Page page(String prefix, @Nullable String after, long bytesMax, long revision) {
        return readAt(revision, () -> files.page(prefix, after, bytesMax, revision));
    }

    @Override
    public long count(String prefix, @Nullable String after, long revision) {
        return readAt(revision, () -> files.count(prefix, after, revision));
    }

    @Override
    public List<Change> changes(long afterRevision, int countMax, long bytesMax) {
        Limits.checkCount(countMax);
        long newest = revision();
        if (afterRevision >= newest) {
            return List.of();
        }
        checkRevision(afterRevision);
        List<Change> found = recent.range(afterRevision + 1, newest, countMax, bytesMax);
        return found != null
                ? found
                : readAt(afterRevision, () -> files.changes(afterRevision + 1, newest, countMax, bytesMax));
    }

    @Override
    public long awaitRevisionAbove(long revision, Duration timeout) throws InterruptedException {
        return head.awaitAbove(revision, timeout);
    }

    @Override
    public void compact(long revision) {
        if (revision > revision()) {
            throw new IllegalArgumentException(
                    "compaction at revision " + revision + " (expected at most " + revision() + ", the newest)");
        }
        compaction.compact(revision);
        recent.forget(compaction.compacted());
    }

    @Override
    public boolean isSound() {
        return !closed && committer.isSound();
    }

    @Override
    public Optional<String> defect() {
        return closed ? Optional.of("the store is closed") : committer.defect().or(foothold::defect);
    }

    @Override
    public Optional<String> shortage() {
        return closed ? Optional.empty() : committer.shortage();
    }

    @Override
    public void close() {
        boolean isOpen = !closed;
        closed = true;
        queue.close();
        joinWriter();
        if (isOpen && committer.isSound()) {
            note.take(head.revision());
        }
        head.close();
        files.close();
    }

    /**
     * Reads the past. A concurrent compaction may have removed part of the result: then the revision counts as
     * compacted, whatever was found.
     */
    private <T> T readAt(long revision, Supplier<T> read) {
        checkRevision(revision);
        T found;
        try {
            found = read.get();
        } catch (StoreException e) {
            checkRevision(revision);
            throw e;
        }
        checkRevision(revision);
        return found;
    }

    private void checkRevision(long revision) {
        if (closed) {
            throw new StoreException(StoreException.Reason.CLOSED, "the store is closed", null);
        }
        Limits.checkRevision(revision, compaction.compacted(), head.revision());
    }

    /** The same refusal with the caller's own stack. */
    private static StoreException told(StoreException refused) {
        return new StoreException(refused.reason(), String.valueOf(refused.getMessage()), refused);
    }

    private void joinWriter() {
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
