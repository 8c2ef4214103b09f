package io.fairlead.model;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of bytes that buffers take before they are filled and release afterwards.
 *
 * <p>Budgets form a tree: bytes are taken from a part and from the whole, or from neither. So one process has one
 * budget, its clusters and callers have parts of it, and the sum of the parts may be larger than the whole.
 *
 * <p>Threads: any; nothing blocks.
 */
public final class ByteBudget {
    private final @Nullable ByteBudget whole;
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    private ByteBudget(@Nullable ByteBudget whole, long bytesMax) {
        if (bytesMax <= 0) {
            throw new IllegalArgumentException("bytes: " + bytesMax + " (expected more than 0)");
        }
        this.whole = whole;
        this.bytesMax = bytesMax;
    }

    /** A separate budget. */
    public static ByteBudget of(long bytesMax) {
        return new ByteBudget(null, bytesMax);
    }

    /** A part of this budget. */
    public ByteBudget part(long bytesMaxOfPart) {
        return new ByteBudget(this, bytesMaxOfPart);
    }

    /** Takes all of these bytes, also from the enclosing budgets, or none. */
    public boolean take(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected 0 or more)");
        }
        if (taken.addAndGet(bytes) > bytesMax || (whole != null && !whole.take(bytes))) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Releases what {@link #take} took. */
    public void give(long bytes) {
        taken.addAndGet(-bytes);
        if (whole != null) {
            whole.give(bytes);
        }
    }

    /** The bytes taken now; a refused {@link #take} may be counted for an instant. */
    public long taken() {
        return taken.get();
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** The bytes that one buffer takes from this budget; closing releases all of them. */
    public Hold hold() {
        return new Hold(this);
    }

    /** The bytes that one buffer holds. Threads: any; closing twice has no further effect. */
    public static final class Hold implements AutoCloseable {
        private static final long CLOSED = -1;

        private final ByteBudget budget;
        private long held;

        private Hold(ByteBudget budget) {
            this.budget = budget;
        }

        /** Takes more; returns false and takes nothing if the budget has no room or the hold is closed. */
        public synchronized boolean grow(long bytes) {
            if (held == CLOSED || !budget.take(bytes)) {
                return false;
            }
            held += bytes;
            return true;
        }

        /** Releases some of the bytes. */
        public synchronized void shrink(long bytes) {
            if (held == CLOSED) {
                return;
            }
            if (bytes > held) {
                throw new IllegalArgumentException("bytes: " + bytes + " (expected at most the " + held + " held)");
            }
            held -= bytes;
            budget.give(bytes);
        }

        public synchronized long bytes() {
            return Math.max(held, 0);
        }

        @Override
        public synchronized void close() {
            if (held > 0) {
                budget.give(held);
            }
            held = CLOSED;
        }
    }
}
