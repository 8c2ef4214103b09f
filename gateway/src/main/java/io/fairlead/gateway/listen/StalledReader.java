package io.fairlead.gateway.listen;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a client that reads nothing of a full queue.
 *
 * <p>Only full queues count: an idle watch writes nothing. While a queue is full its source is held back, so that soon
 * only the client's reading can change its length; a queue with the same length for a whole timeout has no reader. On
 * the channel's event loop.
 */
final class StalledReader {
    private final Channel channel;
    private final BooleanSupplier writable;
    private final LongSupplier queue;
    private final Duration timeout;
    private final Runnable onStall;
    private @Nullable Future<?> look;
    private boolean ignored;
    private long queuedBytes;

    /**
     * Monitors a connection, or one stream of a connection.
     *
     * @param writable whether its queue is not full
     * @param queue the bytes that wait for the client
     */
    StalledReader(Channel channel, BooleanSupplier writable, LongSupplier queue, Duration timeout, Runnable onStall) {
        this.channel = channel;
        this.writable = writable;
        this.queue = queue;
        this.timeout = timeout;
        this.onStall = onStall;
    }

    /** Something was added to the queue. */
    void wrote() {
        if (look == null && !ignored && !writable.getAsBoolean()) {
            lookLater();
        }
    }

    /** Suspends the timeout. */
    void ignore() {
        ignored = true;
        stop();
    }

    /** Resumes the timeout. */
    void heed() {
        ignored = false;
        wrote();
    }

    void stop() {
        Future<?> pending = look;
        if (pending != null) {
            pending.cancel(false);
            look = null;
        }
    }

    private void lookLater() {
        queuedBytes = queue.getAsLong();
        look = channel.eventLoop().schedule(this::look, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        look = null;
        if (writable.getAsBoolean() || !channel.isActive()) {
            return;
        }
        if (queue.getAsLong() == queuedBytes) {
            onStall.run();
        } else {
            lookLater();
        }
    }
}
