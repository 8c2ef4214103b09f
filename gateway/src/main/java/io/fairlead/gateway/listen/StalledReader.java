package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects a client that reads nothing of a full queue: for a whole timeout, or while too much waits for all such clients.
 *
 * <p>Only full queues count: an idle watch writes nothing. While a queue is full its source is held back, so that soon
 * only the client's reading can change its length; a queue with the same length for a whole timeout has no reader. On
 * the channel's event loop.
 */
final class StalledReader {
    /** What waits for a client. */
    interface Queue {
        ByteBudget.Holder reader();

        boolean isFull();

        long bytes();

        /** The bytes to be read before there is room: they change whenever the client reads. */
        long bytesAhead();

        /** The client reads nothing; called once. */
        void stalled(Limit limit);
    }

    private final Channel channel;
    private final Queue queue;
    private final Duration timeout;
    private final ByteBudget.Part unread;
    private @Nullable Future<?> look;
    private boolean ignored;
    private boolean over;
    private long bytesAhead;
    private int bytesAtSource;

    /**
     * Monitors a connection, or one stream of a connection.
     *
     * @param budget for what waits for all clients
     */
    StalledReader(Channel channel, Queue queue, Duration timeout, ByteBudget budget) {
        this.channel = channel;
        this.queue = queue;
        this.timeout = timeout;
        this.unread = budget.part(queue::reader, () -> channel.eventLoop().execute(() -> stalled(Limit.UNREAD_BYTES)));
    }

    /** Something was added to the queue. */
    void wrote() {
        hold(false);
        if (look == null && !ignored && queue.isFull()) {
            lookLater();
        }
    }

    /** So many bytes wait at their source until there is room. */
    void waiting(int bytes) {
        bytesAtSource = bytes;
        hold(false);
    }

    /** There is room. */
    void hasRoom() {
        hold(true);
    }

    private void hold(boolean begun) {
        unread.hold(bytesAtSource + (queue.isFull() ? queue.bytes() : 0), begun);
    }

    /** Suspends the timeout. */
    void ignore() {
        ignored = true;
        stopLooking();
    }

    /** Resumes the timeout, with another answer. */
    void heedNext() {
        ignored = false;
        bytesAtSource = 0;
        wrote();
    }

    /** Nothing waits any more. */
    void stop() {
        over = true;
        unread.end();
        stopLooking();
    }

    private void stopLooking() {
        Future<?> pending = look;
        if (pending != null) {
            pending.cancel(false);
            look = null;
        }
    }

    private void lookLater() {
        bytesAhead = queue.bytesAhead();
        look = channel.eventLoop().schedule(this::look, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        look = null;
        if (!queue.isFull()) {
            return;
        }
        if (queue.bytesAhead() == bytesAhead) {
            stalled(Limit.STALLED_READER);
        } else {
            hold(true);
            lookLater();
        }
    }

    private void stalled(Limit limit) {
        if (!over && channel.isActive()) {
            stop();
            queue.stalled(limit);
        }
    }
}
