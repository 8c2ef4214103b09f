package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a client that sends a body too slowly. Only the time counts in which more of it was asked for: a body that is held
 * back because its taker is slow is no fault of the client. On the client's event loop.
 */
final class BodyPace {
    private final long windowNanos;
    private final long bytesMin;
    private final EventExecutor loop;
    private final LongSupplier nanoTime;
    private final Runnable onTooSlow;
    private @Nullable Future<?> look;
    private boolean waiting;
    private boolean stopped;
    private long waitingSince;
    private long waitedNanos;
    private long bytes;

    /** The clock is that of the loop's timers but for tests. */
    BodyPace(EdgeLimits.Bodies limits, EventExecutor loop, LongSupplier nanoTime, Runnable onTooSlow) {
        this.windowNanos = limits.paceWindow().toNanos();
        this.bytesMin = (long) (limits.bytesPerSecondMin() * (windowNanos / 1e9));
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.onTooSlow = onTooSlow;
    }

    /** More is asked for, and has not come yet. */
    void awaiting() {
        if (!waiting && !stopped) {
            waiting = true;
            waitingSince = nanoTime.getAsLong();
            if (look == null) {
                lookAfter(windowNanos - waitedNanos);
            }
        }
    }

    /**
     * Some of the body came.
     *
     * @param more whether more is asked for already
     */
    void came(int count, boolean more) {
        bytes += count;
        pause();
        if (more) {
            awaiting();
        }
    }

    /** The body is complete, or nobody wants it any more; from now on there is nothing to notice. */
    void stop() {
        stopped = true;
        waiting = false;
        Future<?> pending = look;
        if (pending != null) {
            pending.cancel(false);
            look = null;
        }
    }

    private void pause() {
        if (waiting) {
            waiting = false;
            waitedNanos += nanoTime.getAsLong() - waitingSince;
        }
    }

    private void lookAfter(long nanos) {
        look = loop.schedule(this::look, Math.max(1, nanos), TimeUnit.NANOSECONDS);
    }

    /** Judges each window once; while nothing is asked for, the next demand brings the next look. */
    private void look() {
        look = null;
        boolean stillWaiting = waiting;
        pause();
        if (waitedNanos >= windowNanos) {
            if (bytes < bytesMin) {
                stop();
                onTooSlow.run();
                return;
            }
            waitedNanos = 0;
            bytes = 0;
        }
        if (stillWaiting) {
            awaiting();
        }
    }
}
