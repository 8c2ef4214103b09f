package io.fairlead.storage;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The newest visible revision: written by one writer, read without a lock, awaited by any number of followers. */
final class Head {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private volatile long revision;
    private volatile boolean closed;

    Head(long revision) {
        this.revision = revision;
    }

    long revision() {
        return revision;
    }

    void advance(long newest) {
        lock.lock();
        try {
            revision = newest;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long awaitAbove(long floor, Duration timeout) throws InterruptedException {
        if (revision > floor) {
            return revision;
        }
        long leftNanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (revision <= floor && !closed && leftNanos > 0) {
                leftNanos = moved.awaitNanos(leftNanos);
            }
            return revision;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
