package io.fairlead.gateway.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** Lines one behind the other, and who waits for them. Threads: one at a time, under the lock of the log. */
final class QueuedLines {
    private static final int BYTES_AT_FIRST = 64 * 1024;

    /** A larger array is not kept for the next lines. */
    private static final int BYTES_KEPT_MAX = 1024 * 1024;

    private byte[] bytes = new byte[BYTES_AT_FIRST];
    private int length;
    private int count;
    private List<AuditLog.Waiter> waiters = new ArrayList<>();
    private int waitersBytes;

    boolean isEmpty() {
        return length == 0 && waiters.isEmpty();
    }

    boolean isAwaited() {
        return !waiters.isEmpty();
    }

    /** The lines, behind which there may be more. */
    byte[] bytes() {
        return bytes;
    }

    /** In bytes. */
    int length() {
        return length;
    }

    /** What it takes in the heap: the lines, and the requests that wait. */
    int heldBytes() {
        return length + waitersBytes;
    }

    /** How many lines there are. */
    int count() {
        return count;
    }

    /** Adds a copy of a line, or nothing if its length is 0. */
    void add(byte[] line, int lineLength) {
        if (lineLength > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + lineLength));
        }
        System.arraycopy(line, 0, bytes, length, lineLength);
        length += lineLength;
        count += lineLength > 0 ? 1 : 0;
    }

    void add(AuditLog.Waiter waiter) {
        waiters.add(waiter);
        waitersBytes += waiter.heldBytes();
    }

    /** Those who wait, who wait no more. */
    List<AuditLog.Waiter> takeWaiters() {
        if (waiters.isEmpty()) {
            return List.of();
        }
        List<AuditLog.Waiter> taken = waiters;
        waiters = new ArrayList<>();
        waitersBytes = 0;
        return taken;
    }

    /** Tells those who waited whether their lines are written. */
    static void tell(List<AuditLog.Waiter> waiters, boolean isWritten) {
        for (AuditLog.Waiter waiter : waiters) {
            try {
                waiter.written().accept(isWritten);
            } catch (RejectedExecutionException ended) {
                // Its event loop has ended, and the request with it; the others are told.
            }
        }
    }

    void clear() {
        if (bytes.length > BYTES_KEPT_MAX) {
            bytes = new byte[BYTES_AT_FIRST];
        }
        length = 0;
        count = 0;
    }
}
