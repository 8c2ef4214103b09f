package io.fairlead.storage;

import io.fairlead.storage.CommitQueue.Pending;
import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/*
 * Group commit. Writes that arrive while the disk syncs make up the next batch, so that the number of syncs follows the
 * disk and not the callers.
 *
 * Order of a batch: conditions are checked against the durable state and the batch's own earlier writes; everything is
 * written and synced at once; the changes become visible; only then the futures complete. A refusal may depend on a
 * write of the same batch, so it waits for the sync like everything else.
 *
 * After a failed sync the kernel may drop the dirty pages and report the next sync as a success (the "fsyncgate" of
 * PostgreSQL, 2018), so nothing is acknowledged any more: the first failure is kept and refuses every later write. A
 * file that could not be opened is not a failed sync: RevisionFiles refuses such a write itself, and accepts later
 * ones.
 */
/** The one writer of an embedded store: only its thread assigns revisions and changes the files. */
final class Committer implements Runnable {
    private static final long MIB = 1024 * 1024;

    private final CommitQueue queue;
    private final RevisionFiles files;
    private final RecentChanges recent;
    private final Head head;
    private final RevisionNote note;
    private final Disk disk;
    private final StoreDirectory foothold;
    private final long diskReserveBytes;
    private volatile @Nullable StoreException failure;

    Committer(
            CommitQueue queue,
            RevisionFiles files,
            RecentChanges recent,
            Head head,
            RevisionNote note,
            Disk disk,
            StoreDirectory foothold,
            long diskReserveBytes) {
        this.queue = queue;
        this.files = files;
        this.recent = recent;
        this.head = head;
        this.note = note;
        this.disk = disk;
        this.foothold = foothold;
        this.diskReserveBytes = diskReserveBytes;
    }

    @Override
    public void run() {
        List<Pending> batch = List.of();
        try {
            for (batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
                commit(batch);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            end(batch, e);
        }
    }

    /** Without a writer the futures of waiting and new writes would never complete. */
    private void end(List<Pending> last, Throwable cause) {
        StoreException failed = fail(cause);
        refuse(last, failed);
        refuse(queue.abandon(), failed);
    }

    private static void refuse(List<Pending> pending, StoreException why) {
        pending.forEach(write -> write.result().completeExceptionally(why));
    }

    boolean isSound() {
        return failure == null;
    }

    /** The message of an earlier failure. */
    Optional<String> defect() {
        return Optional.ofNullable(failure).map(StoreException::getMessage);
    }

    /** Why values are refused, or empty if there is space. */
    Optional<String> shortage() {
        return shortage(diskReserveBytes);
    }

    /** The same of values that belong to deletions: they may use a part of what is kept, and the rest is for removals. */
    private Optional<String> shortageOfDeletions() {
        return shortage(diskReserveBytes / 2);
    }

    private Optional<String> shortage(long neededBytes) {
        long freeBytes = disk.usableBytes();
        return freeBytes >= neededBytes
                ? Optional.empty()
                : Optional.of("the disk is full: " + freeBytes / MIB + " MiB are free, fewer than the "
                        + diskReserveBytes / MIB + " MiB that are kept for deletions");
    }

    /** Throws the failure that every later write gets. */
    void checkSound() {
        StoreException first = failure;
        if (first != null) {
            throw new StoreException(
                    Reason.FAILED,
                    "the store takes no writes until it has been reopened: " + first.getMessage(),
                    first);
        }
    }

    /** Records a failed write: later results of the disk prove nothing. Only the first failure is reported. */
    synchronized StoreException fail(Throwable cause) {
        String what = cause instanceof RocksDBException
                ? "the disk failed while writing, whether the write is stored is unknown: " + cause.getMessage()
                : "the store's writer failed, whether the write is stored is unknown: " + cause;
        var uncertain = new StoreException(Reason.UNCERTAIN, what, cause);
        if (failure == null) {
            failure = uncertain;
        }
        return uncertain;
    }

    private void commit(List<Pending> pending) {
        try (var batch = new Batch(head.revision())) {
            checkSound();
            foothold.require();
            files.recover(head.revision());
            Optional<String> shortage = shortage();
            Optional<String> ofDeletions = shortage.isEmpty() ? shortage : shortageOfDeletions();
            pending.forEach(write -> batch.add(write, isOfDeletion(write) ? ofDeletions : shortage));
            batch.commit();
        } catch (StoreException e) {
            refuse(pending, e);
        } catch (RocksDBException | RuntimeException | Error e) {
            refuse(pending, fail(e));
        }
    }

    private static boolean isOfDeletion(Pending pending) {
        return pending.write() instanceof Write.Put put && put.ofDeletion();
    }

    /** Writes that become durable together. */
    private final class Batch implements AutoCloseable {
        private final WriteBatch fileWrites = new WriteBatch();
        private final List<Change> changes = new ArrayList<>();
        private final List<Runnable> answers = new ArrayList<>();
        /** The pending values of keys that this batch writes. */
        private final Map<String, @Nullable Entry> written = new HashMap<>();

        private final long base;

        Batch(long base) {
            this.base = base;
        }

        void add(Pending pending, Optional<String> shortage) {
            Write write = pending.write();
            if (shortage.isPresent() && write instanceof Write.Put) {
                var full = new StoreException(Reason.DISK_FULL, shortage.get(), null);
                answers.add(() -> pending.result().completeExceptionally(full));
                return;
            }
            CommitResult result = apply(write);
            answers.add(() -> pending.result().complete(result));
        }

        void commit() throws RocksDBException {
            if (!changes.isEmpty()) {
                long newest = base + changes.size();
                fileWrites.put(FileKeys.HEAD, FileKeys.number(newest));
                files.write(fileWrites);
                changes.forEach(recent::add);
                head.advance(newest);
            }
            answers.forEach(Runnable::run);
            note.advance(head.revision());
        }

        @Override
        public void close() {
            fileWrites.close();
        }

        private CommitResult apply(Write write) {
            Entry current = current(write.key());
            long currentRevision = current == null ? 0 : current.revision();
            if (currentRevision != write.expectedRevision()) {
                return new CommitResult.Mismatch(current);
            }
            long revision = base + changes.size() + 1;
            byte[] value = switch (write) {
                case Write.Put put -> put.value();
                case Write.Delete ignored -> null;
            };
            record(revision, write.key(), value, current);
            return new CommitResult.Committed(revision);
        }

        private @Nullable Entry current(String key) {
            return written.containsKey(key) ? written.get(key) : files.entry(key, base);
        }

        private void record(long revision, String key, byte @Nullable [] value, @Nullable Entry previous) {
            long createRevision = previous == null ? revision : previous.createRevision();
            long previousRevision = previous == null ? 0 : previous.revision();
            var logged = new LogRecord(key, value, createRevision, previousRevision);
            try {
                fileWrites.put(FileKeys.log(revision), logged.bytes());
                fileWrites.put(FileKeys.version(key, revision), value == null ? FileKeys.DELETED : FileKeys.LIVE);
            } catch (RocksDBException e) {
                throw new IllegalStateException("a batch in memory cannot fail", e);
            }
            written.put(key, value == null ? null : new Entry(key, value, revision, createRevision));
            changes.add(new Change(revision, key, value, previous));
        }
    }
}
