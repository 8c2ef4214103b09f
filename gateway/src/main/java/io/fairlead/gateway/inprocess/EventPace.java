package io.fairlead.gateway.inprocess;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * When all watches together are written to very often, each of them lets its events gather for a moment between two writes: what a write
 * costs, a TLS record and a system call, is then shared by several events. Otherwise events are written at once.
 *
 * <p>The least time between two writes of one watch is such that there would be {@value #WRITES_PER_SECOND} writes a second for each
 * processor: the watches that are busy have about the same rate, so that the number of writes goes down as that time goes up.
 *
 * <p>Threads: any.
 */
final class EventPace {
    /** As many take about a tenth of a processor. */
    static final int WRITES_PER_SECOND = 10_000;

    static final Duration PAUSE_MAX = Duration.ofMillis(100);
    private static final Duration PAUSE_MIN = Duration.ofMillis(1);
    private static final Duration WINDOW = Duration.ofMillis(25);

    private final LongSupplier nanos;
    private final long nanosPerWrite;
    private final LongAdder writes = new LongAdder();
    private final AtomicLong windowBegan;
    private volatile long pause;

    EventPace() {
        this(System::nanoTime, Runtime.getRuntime().availableProcessors());
    }

    EventPace(LongSupplier nanos, int processors) {
        this.nanos = nanos;
        this.nanosPerWrite = Duration.ofSeconds(1).toNanos() / WRITES_PER_SECOND / processors;
        this.windowBegan = new AtomicLong(nanos.getAsLong());
    }

    /** The writes of one watch. One thread. */
    final class Watch {
        private long lastWrite = nanos.getAsLong() - PAUSE_MAX.toNanos();

        /** Counts a write that is due; how many nanoseconds to let more events gather before, 0 if it is to be done at once. */
        long beforeWrite() {
            long now = nanos.getAsLong();
            count(now);
            long left = Math.max(0, lastWrite + pause - now);
            lastWrite = now + left;
            return left;
        }
    }

    private void count(long now) {
        writes.increment();
        long began = windowBegan.get();
        long passed = now - began;
        if (passed >= WINDOW.toNanos() && windowBegan.compareAndSet(began, now)) {
            double load = (double) (writes.sumThenReset() * nanosPerWrite) / passed;
            long next = (long) (Math.max(pause, PAUSE_MIN.toNanos()) * load);
            pause = next < PAUSE_MIN.toNanos() ? 0 : Math.min(next, PAUSE_MAX.toNanos());
        }
    }
}
