package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Page;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The database files: the value of each key at each revision. Visibility and compaction are decided elsewhere.
 *
 * <p>Threads: reads from any; every use of the native database holds the shared side of a lock whose other side closes
 * it, as a native call after that would end the process.
 *
 * <p>A database that could not open a file, because the process has no descriptor left, accepts no writes until it is
 * opened again. Nothing is lost, since no sync failed: reads continue, and the first commit after descriptors are free
 * again closes and opens it in place.
 */
final class RevisionFiles implements AutoCloseable {
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private final Path directory;
    private final Disk disk;
    private final LogNote note;
    private final LogSwitches logs = new LogSwitches();
    private final Cache blockCache;
    private final Options options;
    private final WriteOptions durable = new WriteOptions().setSync(true);

    /** Null if it could not be opened again; like the next two written under {@code use}. */
    private volatile @Nullable RocksDB database;

    private boolean closed;

    /** The newest revision that the reopened files must contain. */
    private volatile long newestWhenStarved;

    /** The number of logs begun when the last note was written. */
    private volatile long logsNoted;

    /** Whether it refuses writes because no file could be opened. */
    private volatile boolean starved;

    /** Opens the files in a directory; the native library must have been loaded. */
    static RevisionFiles open(Path directory, StoreOptions storeOptions, Disk disk) {
        var files = new RevisionFiles(directory, storeOptions, disk);
        try {
            files.note.check();
            files.openDatabase();
            return files;
        } catch (StoreException e) {
            files.close();
            throw e;
        }
    }

    private RevisionFiles(Path directory, StoreOptions storeOptions, Disk disk) {
        this.directory = directory;
        this.disk = disk;
        this.note = new LogNote(directory, disk);
        this.blockCache = new LRUCache(storeOptions.blockCacheBytes());
        this.options = DatabaseOptions.of(blockCache, logs);
    }

    private void openDatabase() {
        try {
            database = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            throw OpenFailure.of(directory, e);
        }
        logs.onOpened();
        noteNewLog();
    }

    /** A number stored under a marker, or a default. */
    long number(byte[] marker, long ifNone) {
        return reading(database -> {
            byte[] value = database.get(marker);
            return value == null ? ifNone : FileKeys.number(value);
        });
    }

    /**
     * Opens the database again if a write found no descriptor and some are free now.
     *
     * @param newest the newest revision that the files may contain
     * @throws StoreException if there are still too few
     */
    void recover(long newest) {
        if (starved) {
            newestWhenStarved = newest;
            openAnewIfStarved();
        }
    }

    /**
     * Writes durably; a failure is the disk's own exception, which the caller interprets.
     *
     * @throws StoreException if no file could be opened; then nothing was written
     */
    void write(WriteBatch batch) throws RocksDBException {
        use.readLock().lock();
        try {
            if (starved) {
                throw noDescriptors(null);
            }
            disk.write(opened(), durable, batch);
            noteNewLog();
        } catch (RocksDBException e) {
            if (Descriptors.ranOut(e)) {
                starved = true;
                throw noDescriptors(e);
            }
            throw e;
        } finally {
            use.readLock().unlock();
        }
    }

    /** Before the first write in a log is acknowledged. The write is durable: a note that fails is written later. */
    private void noteNewLog() {
        if (logsNoted == logs.count()) {
            return;
        }
        synchronized (note) {
            long begun = logs.count();
            if (logsNoted != begun) {
                try {
                    note.take();
                    logsNoted = begun;
                } catch (IOException | UncheckedIOException e) {
                    // Written with the next write. An older note still detects a missing log.
                }
            }
        }
    }

    /** The value of a key at a revision. */
    @Nullable
    Entry entry(String key, long revision) {
        return reading(database -> {
                    long found = versionOf(database, key, revision);
                    return found == 0 ? Optional.<Entry>empty() : Optional.of(entryAt(database, found));
                })
                .orElse(null);
    }

    /** The entries with a prefix, after a key, at a revision; with a limit, 0 for all. */
    List<Entry> list(String prefix, @Nullable String after, int countMax, long revision) {
        return reading(database -> {
            var found = new ArrayList<Entry>();
            try (RocksIterator versions = database.newIterator()) {
                var walk = new KeyWalk(versions, prefix, after, revision);
                while ((countMax == 0 || found.size() < countMax) && walk.next()) {
                    found.add(entryAt(database, walk.foundRevision()));
                }
                versions.status();
            }
            return found;
        });
    }

    /** As {@link #list}, ending with the entry that reaches this many bytes. */
    Page page(String prefix, @Nullable String after, long bytesMax, long revision) {
        return reading(database -> {
            var found = new ArrayList<Entry>();
            long bytes = 0;
            boolean more;
            try (RocksIterator versions = database.newIterator()) {
                var walk = new KeyWalk(versions, prefix, after, revision);
                for (more = walk.next(); more && bytes < bytesMax; more = walk.next()) {
                    Entry entry = entryAt(database, walk.foundRevision());
                    found.add(entry);
                    bytes += entry.bytes();
                }
                versions.status();
            }
            return new Page(found, more);
        });
    }

    /** The number of entries that {@link #list} finds without a limit. */
    long count(String prefix, @Nullable String after, long revision) {
        return reading(database -> {
            long count = 0;
            try (RocksIterator versions = database.newIterator()) {
                var walk = new KeyWalk(versions, prefix, after, revision);
                while (walk.next()) {
                    count++;
                }
                versions.status();
            }
            return count;
        });
    }

    /** The changes from one revision up to another, with a limit, ending with the one that reaches this many bytes. */
    List<Change> changes(long first, long last, int countMax, long bytesMax) {
        return reading(database -> {
            var found = new ArrayList<Change>();
            long bytes = 0;
            try (RocksIterator log = database.newIterator()) {
                log.seek(FileKeys.log(first));
                while (found.size() < countMax && bytes < bytesMax && log.isValid() && FileKeys.isLog(log.key())) {
                    long revision = FileKeys.logRevision(log.key());
                    if (revision > last) {
                        break;
                    }
                    Change change = change(database, revision, LogRecord.parse(log.value()));
                    found.add(change);
                    bytes += change.bytes();
                    log.next();
                }
                log.status();
            }
            return found;
        });
    }

    /** The remaining log from one revision up to another, without values, with a limit. */
    List<Logged> log(long first, long last, int countMax) {
        return reading(database -> {
            var found = new ArrayList<Logged>();
            try (RocksIterator log = database.newIterator()) {
                log.seek(FileKeys.log(first));
                while (found.size() < countMax && log.isValid() && FileKeys.isLog(log.key())) {
                    long revision = FileKeys.logRevision(log.key());
                    if (revision > last) {
                        break;
                    }
                    LogRecord written = LogRecord.parse(log.value());
                    found.add(new Logged(revision, written.key(), written.value() == null, written.previousRevision()));
                    log.next();
                }
                log.status();
            }
            return found;
        });
    }

    @Override
    public void close() {
        use.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                closeDatabase();
                durable.close();
                options.close();
                logs.close();
                blockCache.close();
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    /** The revision of the newest live version of a key not above a revision, 0 if there is none. */
    private static long versionOf(RocksDB database, String key, long revision) throws RocksDBException {
        try (RocksIterator versions = database.newIterator()) {
            versions.seek(FileKeys.version(key, revision));
            versions.status();
            if (!versions.isValid() || !FileKeys.isVersion(versions.key())) {
                return 0;
            }
            byte[] found = versions.key();
            boolean live = FileKeys.versionKey(found).equals(key) && FileKeys.isLive(versions.value());
            return live ? FileKeys.versionRevision(found) : 0;
        }
    }

    private static Entry entryAt(RocksDB database, long revision) throws RocksDBException {
        byte[] bytes = database.get(FileKeys.log(revision));
        LogRecord written = bytes == null ? null : LogRecord.parse(bytes);
        if (written == null || written.value() == null) {
            throw new RocksDBException("no value in the log at revision " + revision);
        }
        return new Entry(written.key(), written.value(), revision, written.createRevision());
    }

    private static Change change(RocksDB database, long revision, LogRecord written) throws RocksDBException {
        Entry previous = written.previousRevision() == 0 ? null : entryAt(database, written.previousRevision());
        return new Change(revision, written.key(), written.value(), previous);
    }

    private <T> T reading(Reading<T> reading) {
        if (database == null) {
            openAnewIfStarved();
        }
        use.readLock().lock();
        try {
            return reading.read(opened());
        } catch (RocksDBException e) {
            if (Descriptors.ranOut(e)) {
                throw noDescriptors(e);
            }
            throw new StoreException(Reason.DAMAGED, "the store cannot be read: " + e.getMessage(), e);
        } finally {
            use.readLock().unlock();
        }
    }

    private RocksDB opened() {
        if (closed) {
            throw new StoreException(Reason.CLOSED, "the store is closed", null);
        }
        RocksDB open = database;
        if (open == null) {
            throw noDescriptors(null);
        }
        return open;
    }

    private void openAnewIfStarved() {
        use.writeLock().lock();
        try {
            if (starved && !closed) {
                openAnew();
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    /** With descriptors in reserve, so that readable files are not closed for an opening that fails. */
    private void openAnew() {
        if (!Descriptors.areSpare(directory.resolve("CURRENT"))) {
            throw noDescriptors(null);
        }
        closeDatabase();
        openDatabase();
        long newest = number(FileKeys.HEAD, EmbeddedStore.FIRST_REVISION);
        if (newest != newestWhenStarved) {
            // Neither writable nor readable until the whole store is reopened: its revisions differ from those of the
            // files.
            closeDatabase();
            throw new IllegalStateException("a write that could open no file changed the newest revision from "
                    + newestWhenStarved + " to " + newest);
        }
        starved = false;
    }

    private void closeDatabase() {
        RocksDB open = database;
        database = null;
        if (open != null) {
            open.close();
        }
    }

    static StoreException noDescriptors(@Nullable Throwable cause) {
        return new StoreException(
                Reason.NO_DESCRIPTORS,
                "the store can open no file: the process has no file descriptors left (more of them are expected, or"
                        + " fewer connections)",
                cause);
    }

    /** A write of the log, without its value. */
    record Logged(long revision, String key, boolean deletion, long previousRevision) {}

    @FunctionalInterface
    private interface Reading<T> {
        T read(RocksDB database) throws RocksDBException;
    }
}
