package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * A new store that is filled with the entries that another one had at a revision.
 *
 * <p>Entries keep their revisions. {@link #finish} sets the newest revision, which also counts as the compacted one: of the writes
 * of the other store after that revision nothing is known here, so no client may go on from one of them. etcd's
 * {@code snapshot restore} has {@code --bump-revision} and {@code --mark-compacted} for the same reason.
 *
 * <p>Threads: one.
 */
public final class RestoredStore implements AutoCloseable {
    private static final long BATCH_BYTES = 1024L * 1024;

    private final RevisionFiles files;
    private final WriteBatch batch = new WriteBatch();
    private long batchBytes;
    private long newest = EmbeddedStore.FIRST_REVISION;
    /** Those of all entries, {@link #count} of them. */
    private long[] revisions = new long[1024];

    private int count;

    private RestoredStore(RevisionFiles files) {
        this.files = files;
    }

    /**
     * Begins an empty store.
     *
     * @param directory missing or empty
     * @throws StoreException if it cannot be written, or has content
     */
    public static RestoredStore begin(Path directory, StoreOptions options) {
        return new RestoredStore(RevisionFiles.open(prepared(directory), options, Disk.at(directory)));
    }

    private static Path prepared(Path directory) {
        try {
            return EmbeddedStore.prepare(directory, Disk.at(directory));
        } catch (IOException e) {
            throw EmbeddedStore.unusable(directory, e);
        }
    }

    /**
     * Adds an entry; two of one key must not be added.
     *
     * @throws StoreException if it cannot be written
     * @throws IllegalArgumentException if it breaks the limits of {@link RevisionedStore}, or its revisions are not positive
     */
    public void add(Entry entry) {
        Limits.check(new RevisionedStore.Write.Put(entry.key(), entry.value(), 0));
        if (entry.createRevision() < 1 || entry.revision() < entry.createRevision()) {
            throw new IllegalArgumentException("revisions of " + entry.key() + ": created at " + entry.createRevision()
                    + ", written at " + entry.revision() + " (expected positive ones in this order)");
        }
        try {
            LogRecord record = new LogRecord(entry.key(), entry.value(), entry.createRevision(), 0);
            batch.put(FileKeys.log(entry.revision()), record.bytes());
            batch.put(FileKeys.version(entry.key(), entry.revision()), FileKeys.LIVE);
        } catch (RocksDBException e) {
            throw new IllegalStateException("a batch in memory cannot fail", e);
        }
        if (count == revisions.length) {
            revisions = Arrays.copyOf(revisions, 2 * count);
        }
        revisions[count++] = entry.revision();
        newest = Math.max(newest, entry.revision());
        batchBytes += entry.bytes();
        if (batchBytes >= BATCH_BYTES) {
            write();
        }
    }

    /**
     * Completes the store, durably.
     *
     * @param revision the newest and the compacted one from now on; at least that of each entry
     * @throws IllegalArgumentException if two entries have one revision, of which one would be lost
     */
    public void finish(long revision) {
        Arrays.sort(revisions, 0, count);
        for (int i = 1; i < count; i++) {
            if (revisions[i] == revisions[i - 1]) {
                throw new IllegalArgumentException("two entries have revision " + revisions[i]);
            }
        }
        if (revision < newest) {
            throw new IllegalArgumentException(
                    "newest revision " + revision + " (expected at least " + newest + ", that of an entry)");
        }
        try {
            for (byte[] marker : new byte[][] {FileKeys.HEAD, FileKeys.COMPACTED, FileKeys.SWEPT}) {
                batch.put(marker, FileKeys.number(revision));
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException("a batch in memory cannot fail", e);
        }
        write();
    }

    private void write() {
        try {
            files.write(batch);
        } catch (RocksDBException e) {
            throw new StoreException(Reason.FAILED, "the store cannot be written: " + e.getMessage(), e);
        }
        batch.clear();
        batchBytes = 0;
    }

    @Override
    public void close() {
        batch.close();
        files.close();
    }
}
