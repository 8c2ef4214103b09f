package io.fairlead.storage;

import io.fairlead.storage.RevisionFiles.Logged;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/*
 * A write at revision r replaces the write that it names as its previous one. Once r is compacted, the replaced write
 * is unreachable, and if r is itself a deletion, so is r. So the log, read from the end of the last sweep, is enough to
 * find what can be removed; no walk over the keys is needed. The mark is made durable before the first removal and
 * readers check it after they have read: their result is complete or refused. A sweep interrupted by a crash continues
 * where it stopped.
 */
/** The compacted revisions, and the removal of values that only they could see. */
final class Compaction {
    private static final int SWEEP_RECORDS = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final RevisionFiles files;
    private final Committer committer;
    private volatile long compacted;
    private long swept;

    Compaction(RevisionFiles files, Committer committer) {
        this.files = files;
        this.committer = committer;
        this.compacted = files.number(FileKeys.COMPACTED, EmbeddedStore.FIRST_REVISION);
        this.swept = files.number(FileKeys.SWEPT, EmbeddedStore.FIRST_REVISION);
    }

    long compacted() {
        return compacted;
    }

    void compact(long revision) {
        lock.lock();
        try {
            if (revision > compacted) {
                mark(revision);
            }
            sweep();
        } finally {
            lock.unlock();
        }
    }

    private void mark(long revision) {
        try (var batch = new WriteBatch()) {
            batch.put(FileKeys.COMPACTED, FileKeys.number(revision));
            write(batch);
        } catch (RocksDBException e) {
            throw committer.fail(e);
        }
        compacted = revision;
    }

    private void sweep() {
        while (swept < compacted) {
            List<Logged> writes = files.log(swept + 1, compacted, SWEEP_RECORDS);
            long end =
                    writes.size() < SWEEP_RECORDS ? compacted : writes.getLast().revision();
            try (var batch = new WriteBatch()) {
                for (Logged logged : writes) {
                    remove(batch, logged);
                }
                batch.put(FileKeys.SWEPT, FileKeys.number(end));
                write(batch);
            } catch (RocksDBException e) {
                throw committer.fail(e);
            }
            swept = end;
        }
    }

    private static void remove(WriteBatch batch, Logged logged) throws RocksDBException {
        if (logged.previousRevision() != 0) {
            remove(batch, logged.key(), logged.previousRevision());
        }
        if (logged.deletion()) {
            remove(batch, logged.key(), logged.revision());
        }
    }

    private static void remove(WriteBatch batch, String key, long revision) throws RocksDBException {
        batch.delete(FileKeys.version(key, revision));
        batch.delete(FileKeys.log(revision));
    }

    private void write(WriteBatch batch) throws RocksDBException {
        committer.checkSound();
        files.write(batch);
    }
}
