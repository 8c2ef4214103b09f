package io.fairlead.gateway.inprocess;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * When all watches together are written to very often, each of them lets its events gather for a moment between two writes: what a write
 * costs, a TLS record and a system call, is then shared by several events. Otherwise events are written at once.
 *
 * <p>Threads: any.
 */
final class EventPace {
    /** The least time between two writes of one watch while there are many writes. */
    static final Duration GATHERING = Duration.ofMillis(25);

    /** More writes than this in {@link #GATHERING} are many: some thousands in a second take a noticeable part of a processor. */
    static final int FEW_WRITES = 100;

    private final LongSupplier nanos;
    private final LongAdder writes = new LongAdder();
    private final AtomicLong windowBegan;
    private volatile boolean many;

    EventPace() {
        this(System::nanoTime);
    }

    EventPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.windowBegan = new AtomicLong(nanos.getAsLong());
    }

    /** The writes of one watch. One thread. */
    final class Watch {
        private long lastWrite = nanos.getAsLong() - GATHERING.toNanos();

        /** Counts a write that is due; how many nanoseconds to let more events gather before, 0 if it is to be done at once. */
        long beforeWrite() {
            long now = nanos.getAsLong();
            count(now);
            long pause = many ? Math.max(0, lastWrite + GATHERING.toNanos() - now) : 0;
            lastWrite = now + pause;
            return pause;
        }
    }

    private void count(long now) {
        writes.increment();
        long began = windowBegan.get();
        long passed = now - began;
        if (passed >= GATHERING.toNanos() && windowBegan.compareAndSet(began, now)) {
            many = writes.sumThenReset() * GATHERING.toNanos() > FEW_WRITES * passed;
        }
    }
}
