package io.fairlead.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A real disk that can be told to fail, to fill up or to hang. */
final class FaultyDisk implements Disk {
    private final Disk real;
    private volatile Fault next = Fault.NONE;
    private final AtomicInteger soundWrites = new AtomicInteger();
    private volatile long usableBytes = Long.MAX_VALUE;
    private volatile @Nullable Path unsynced;
    private volatile boolean holdingFlushes;
    private volatile @Nullable RocksDB heldBack;
    private final Map<Path, Set<String>> synced = new ConcurrentHashMap<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch reached = new CountDownLatch(0);

    FaultyDisk(Path directory) {
        this.real = Disk.at(directory);
    }

    /** One write fails after so many good ones; those behind it would succeed. */
    void failOnceAfter(int writes, Fault fault) {
        soundWrites.set(writes);
        next = fault;
    }

    void usableBytes(long bytes) {
        usableBytes = bytes;
    }

    /** Writes wait from here on, until {@link #release()}. */
    void hang() {
        reached = new CountDownLatch(1);
        gate = new CountDownLatch(1);
    }

    /** From the next write on nothing is flushed into tables, and so no log deleted, until {@link #letFlush()}. */
    void holdFlushes() {
        holdingFlushes = true;
    }

    void letFlush() throws RocksDBException {
        RocksDB held = heldBack;
        heldBack = null;
        holdingFlushes = false;
        if (held != null) {
            held.continueBackgroundWork();
        }
    }

    void awaitHanging() throws InterruptedException {
        reached.await();
    }

    void release() {
        gate.countDown();
    }

    @Override
    public void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
        reached.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (holdingFlushes && heldBack == null) {
            database.pauseBackgroundWork();
            heldBack = database;
        }
        Fault fault = next;
        if (fault != Fault.NONE && soundWrites.getAndDecrement() == 0) {
            next = Fault.NONE;
            if (fault == Fault.AFTER_WRITING || fault == Fault.NO_DESCRIPTORS_AFTER_WRITING) {
                real.write(database, options, batch);
            }
            if (fault == Fault.STACK_OVERFLOW) {
                throw new StackOverflowError();
            }
            if (fault == Fault.NO_DESCRIPTORS || fault == Fault.NO_DESCRIPTORS_AFTER_WRITING) {
                throw new RocksDBException("While open a file for appending: 000008.log: Too many open files");
            }
            throw new RocksDBException("While fdatasync: Input/output error");
        }
        real.write(database, options, batch);
    }

    @Override
    public void writeFile(Path file, byte[] content) throws IOException {
        real.writeFile(file, content);
    }

    void failToSync(Path folder) {
        unsynced = folder;
    }

    /** What a folder held when it was last synced, by its path. */
    Map<Path, Set<String>> synced() {
        return synced;
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (folder.equals(unsynced)) {
            throw new IOException("While fsync: Input/output error");
        }
        real.syncFolder(folder);
        try (Stream<Path> entries = Files.list(folder)) {
            synced.put(
                    folder, entries.map(entry -> entry.getFileName().toString()).collect(Collectors.toSet()));
        }
    }

    @Override
    public long usableBytes() {
        return usableBytes;
    }

    enum Fault {
        NONE,
        BEFORE_WRITING,
        STACK_OVERFLOW,
        NO_DESCRIPTORS,
        NO_DESCRIPTORS_AFTER_WRITING,
        AFTER_WRITING
    }
}
