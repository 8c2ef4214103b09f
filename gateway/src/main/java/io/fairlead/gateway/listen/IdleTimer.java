package io.fairlead.gateway.listen;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Detects a connection that serves no request for long. On its event loop. */
final class IdleTimer {
    private final EventExecutor loop;
    private final long timeoutNanos;
    private final BooleanSupplier busy;
    private final Runnable onIdle;
    private @Nullable Future<?> look;
    private long since;

    /**
     * A timer that runs from now on.
     *
     * @param busy whether a request is being served
     */
    IdleTimer(EventExecutor loop, Duration timeout, BooleanSupplier busy, Runnable onIdle) {
        this.loop = loop;
        this.timeoutNanos = timeout.toNanos();
        this.busy = busy;
        this.onIdle = onIdle;
        touch();
        lookAfter(timeoutNanos);
    }

    /** A request has just ended. */
    void touch() {
        since = System.nanoTime();
    }

    void stop() {
        Future<?> pending = look;
        if (pending != null) {
            pending.cancel(false);
            look = null;
        }
    }

    private void lookAfter(long nanos) {
        look = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        if (busy.getAsBoolean()) {
            touch();
        }
        long idleNanos = System.nanoTime() - since;
        if (idleNanos >= timeoutNanos) {
            onIdle.run();
        } else {
            lookAfter(timeoutNanos - idleNanos);
        }
    }
}
