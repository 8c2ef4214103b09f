package io.fairlead.gateway.listen;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a client that reads nothing of a full queue.
 *
 * <p>A queue that is not full is no concern: an idle watch writes nothing. While it is full its source is held back, so
 * that soon only the client's reading can change its length; one that is exactly as long as it was a whole timeout before
 * has no reader. On the channel's event loop.
 */
final class StalledReader {
    private final Channel channel;
    private final LongSupplier queue;
    private final Duration timeout;
    private final Runnable onStall;
    private @Nullable Future<?> look;
    private boolean ignored;
    private long queuedBytes;

    /**
     * Watches a connection, or one stream of a connection.
     *
     * @param queue the length in bytes of all that waits before the client
     */
    StalledReader(Channel channel, LongSupplier queue, Duration timeout, Runnable onStall) {
        this.channel = channel;
        this.queue = queue;
        this.timeout = timeout;
        this.onStall = onStall;
    }

    /** Something was added to the queue. */
    void wrote() {
        if (look == null && !ignored && !channel.isWritable()) {
            lookLater();
        }
    }

    /** The reader may take its time. */
    void ignore() {
        ignored = true;
        stop();
    }

    /** The reader may take its time no longer. */
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
        if (channel.isWritable() || !channel.isActive()) {
            return;
        }
        if (queue.getAsLong() == queuedBytes) {
            onStall.run();
        } else {
            lookLater();
        }
    }
}
