package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The writes that wait for the writer, bounded in bytes; every accepted write is processed, also after closing. */
final class CommitQueue {
    private static final int BATCH_WRITES_MAX = 1024;
    private static final long BATCH_BYTES_MAX = 8L * 1024 * 1024;
    /** The overhead of a waiting write in addition to its key and value; it bounds the number of empty ones. */
    private static final long WRITE_BYTES = 256;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
    private final long bytesMax;
    private final Duration wait;
    private long bytes;
    private boolean closed;

    CommitQueue(long bytesMax, Duration wait) {
        this.bytesMax = bytesMax;
        this.wait = wait;
    }

    /** Adds a write, waiting for room; the future completes when it is durable or refused. */
    CompletableFuture<CommitResult> put(Write write) {
        return put(new Pending(write, new CompletableFuture<>()));
    }

    CompletableFuture<CommitResult> put(Pending pending) {
        lock.lock();
        try {
            awaitRoom(pending.bytes());
            bytes += pending.bytes();
            waiting.add(pending);
            filled.signal();
        } finally {
            lock.unlock();
        }
        return pending.result();
    }

    /** The next batch in order; empty once the queue is closed and nothing waits. */
    List<Pending> take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                filled.await();
            }
            List<Pending> batch = nextBatch();
            drained.signalAll();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes because there is no writer any more, and returns the writes that still waited. */
    List<Pending> abandon() {
        lock.lock();
        try {
            close();
            List<Pending> left = List.copyOf(waiting);
            waiting.clear();
            bytes = 0;
            return left;
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(long more) {
        long leftNanos = wait.toNanos();
        try {
            while (!closed && bytes + more > bytesMax) {
                if (leftNanos <= 0) {
                    throw overloaded(null);
                }
                leftNanos = drained.awaitNanos(leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw overloaded(e);
        }
        if (closed) {
            throw new StoreException(Reason.CLOSED, "the store is closed", null);
        }
    }

    private List<Pending> nextBatch() {
        var batch = new ArrayList<Pending>();
        long batchBytes = 0;
        while (!waiting.isEmpty() && batch.size() < BATCH_WRITES_MAX && batchBytes < BATCH_BYTES_MAX) {
            Pending next = waiting.remove();
            batch.add(next);
            batchBytes += next.bytes();
        }
        bytes -= batchBytes;
        return batch;
    }

    private StoreException overloaded(@Nullable Throwable cause) {
        return new StoreException(
                Reason.OVERLOADED,
                "the store is overloaded: " + waiting.size() + " writes of " + bytes
                        + " bytes wait for the disk (at most " + bytesMax + " may)",
                cause);
    }

    /** A write and its future. */
    record Pending(Write write, CompletableFuture<CommitResult> result) {
        long bytes() {
            return switch (write) {
                case Write.Put put -> WRITE_BYTES + put.key().length() + put.value().length;
                case Write.Delete delete -> WRITE_BYTES + delete.key().length();
            };
        }
    }
}
