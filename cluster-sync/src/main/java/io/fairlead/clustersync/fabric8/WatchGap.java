package io.fairlead.clustersync.fabric8;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time without a watch.
 *
 * <pre>
 * NONE - begin -> OPEN    for a while this is no loss: fabric8 watches again from where it was
 * OPEN - it lasts -> LOST    changes may be missed
 * any  - end -> NONE
 * </pre>
 *
 * <p>Guarded by the feed's lock.
 */
final class WatchGap {
    /** How long fabric8 may retry a watch by itself before a new informer replaces it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        NONE,
        OPEN,
        LOST
    }

    private final LongSupplier nanoTime;
    private final ScheduledExecutorService scheduler;
    private final Duration lostAfter;
    private final Runnable lasts;

    private State state = State.NONE;
    private long sinceNanos;
    private @Nullable Future<?> end;

    /** @param lasts called on the scheduler when a gap has lasted for too long, unless it has ended */
    WatchGap(LongSupplier nanoTime, ScheduledExecutorService scheduler, Duration lostAfter, Runnable lasts) {
        this.nanoTime = nanoTime;
        this.scheduler = scheduler;
        this.lostAfter = lostAfter;
        this.lasts = lasts;
    }

    /** No watch is established; nothing changes if that is known. */
    void begin() {
        if (state == State.NONE) {
            state = State.OPEN;
            sinceNanos = nanoTime.getAsLong();
            end = scheduler.schedule(lasts, lostAfter.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Changes may be missed from now on. */
    void lose() {
        state = State.LOST;
    }

    /** A watch is established; returns whether changes may have been missed. */
    boolean end() {
        if (end != null) {
            end.cancel(false);
        }
        boolean wasLost = state == State.LOST;
        state = State.NONE;
        return wasLost;
    }

    /** Whether it lasts for longer than fabric8 may try by itself. */
    boolean isLong() {
        return state == State.LOST || (state == State.OPEN && isLongerThan(PATIENCE_NANOS));
    }

    boolean isLongerThan(long nanos) {
        return nanoTime.getAsLong() - sinceNanos > nanos;
    }
}
