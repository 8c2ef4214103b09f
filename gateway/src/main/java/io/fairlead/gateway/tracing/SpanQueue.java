package io.fairlead.gateway.tracing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The spans that wait to be sent, within a limit of bytes. Any thread; {@link #take} and {@link #pause} block. */
final class SpanQueue {
    /** Of one export. */
    private static final int BATCH_BYTES = 256 * 1024;

    /** How long the first span of an export waits for others. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What an entry takes beside its bytes. */
    private static final int ENTRY_BYTES = 64;

    private final int bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Spans> waiting = new ArrayDeque<>();
    private int bytes;
    private boolean closing;

    SpanQueue(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds spans; false if there is no room for them. */
    boolean offer(Spans spans) {
        lock.lock();
        try {
            if (closing || bytes + weight(spans) > bytesMax) {
                return false;
            }
            boolean wasUrgent = isUrgent();
            waiting.addLast(spans);
            bytes += weight(spans);
            if (waiting.size() == 1 || (isUrgent() && !wasUrgent)) {
                changed.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** What waits, as much as one export takes, once there is something; nothing once it is closed and empty. */
    List<Spans> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && !closing) {
                changed.await();
            }
            long leftNanos = LINGER_NANOS;
            while (!isUrgent() && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return batch();
        } finally {
            lock.unlock();
        }
    }

    /** Waits, unless the end has come; false then. */
    boolean pause(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNanos = nanos;
            while (!closing && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return !closing;
        } finally {
            lock.unlock();
        }
    }

    int bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more, and lets what waits be taken at once. */
    void close() {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isUrgent() {
        return closing || bytes >= BATCH_BYTES;
    }

    private List<Spans> batch() {
        List<Spans> batch = new ArrayList<>();
        for (int taken = 0; !waiting.isEmpty() && taken < BATCH_BYTES; ) {
            Spans next = waiting.removeFirst();
            taken += weight(next);
            bytes -= weight(next);
            batch.add(next);
        }
        return batch;
    }

    private static int weight(Spans spans) {
        return spans.bytes().length + ENTRY_BYTES;
    }
}
