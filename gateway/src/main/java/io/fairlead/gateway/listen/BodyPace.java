package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a client that sends a body too slowly. Only time with outstanding demand counts: a body held back by a slow
 * consumer is not the client's fault. On the client's event loop.
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

    /** The clock is that of the loop's timers except in tests. */
    BodyPace(LimitSettings limits, EventExecutor loop, LongSupplier nanoTime, Runnable onTooSlow) {
        this.windowNanos = limits.bodyPaceWindow().toNanos();
        this.bytesMin = (long) (limits.bodyBytesPerSecondMin().bytes() * (windowNanos / 1e9));
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.onTooSlow = onTooSlow;
    }

    /** More is requested, and has not arrived yet. */
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
     * Some of the body arrived.
     *
     * @param more whether more is already requested
     */
    void came(int count, boolean more) {
        bytes += count;
        pause();
        if (more) {
            awaiting();
        }
    }

    /** The body is complete, or no longer needed; monitoring ends. */
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

    /** Judges each window once; without demand, the next demand schedules the next check. */
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
