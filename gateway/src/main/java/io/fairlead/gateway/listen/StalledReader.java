package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits for a client that does not read it, and detects one that reads nothing: for a whole timeout while
 * more is held back, or while too much waits for all such clients.
 *
 * <p>What waits is what a flush left behind; nearly all answers leave nothing. Then it looks about once a second, and
 * no longer counts what the client has read since. A few bytes are no reason to end an answer: how far the client has
 * read is seen in steps of its socket's buffer. On the channel's event loop.
 */
final class StalledReader {
    private static final Duration PERIOD_MAX = Duration.ofSeconds(1);

    /** What the objects of an answer that waits take, roughly, so that many short ones are no bargain. */
    private static final int ANSWER_BYTES = 2 * 1024;

    /** What waits for a client. */
    interface Queue {
        ByteBudget.Holder holder();

        long bytes();

        /** A number that changes whenever the client reads. */
        long progress();

        /** Whether the client must read within the timeout: it holds something up. */
        boolean mustRead();

        /** The client reads nothing; called once. */
        void stalled(Limit limit);
    }

    private final Channel channel;
    private final Queue queue;
    private final long timeoutMillis;
    private final long periodMillis;
    private final ByteBudget.Part unread;
    private @Nullable Future<?> look;
    private boolean over;
    private int bytesAtSource;
    private long counted;
    private long progress;
    private long stillMillis;

    /**
     * Monitors a connection, or one stream of a connection.
     *
     * @param budget for what waits for all clients
     */
    StalledReader(Channel channel, Queue queue, Duration timeout, ByteBudget budget) {
        this.channel = channel;
        this.queue = queue;
        this.timeoutMillis = timeout.toMillis();
        this.periodMillis = Math.min(timeoutMillis, PERIOD_MAX.toMillis());
        this.unread = budget.part(queue::holder, bytes -> channel.eventLoop().execute(() -> shed(bytes)));
    }

    /** The queue has changed, and was flushed. */
    void flushed() {
        if (!over && count(false) && look == null) {
            progress = queue.progress();
            stillMillis = 0;
            lookLater();
        }
    }

    /** So many bytes wait at their source until there is room. */
    void waiting(int bytes) {
        bytesAtSource = bytes;
        flushed();
    }

    /** The source was read to its end, or given up: what it told of waits no more. */
    void sourceEnded() {
        if (bytesAtSource != 0) {
            counted = Math.max(0, counted - bytesAtSource);
            bytesAtSource = 0;
            unread.hold(counted, false);
        }
    }

    /** Nothing waits any more. */
    void stop() {
        over = true;
        unread.end();
        Future<?> pending = look;
        if (pending != null) {
            pending.cancel(false);
            look = null;
        }
    }

    /** Counts what waits now; returns whether anything does. */
    private boolean count(boolean hasRead) {
        long bytes = queue.bytes() + bytesAtSource;
        counted = bytes == 0 ? 0 : bytes + ANSWER_BYTES;
        unread.hold(counted, hasRead);
        return bytes != 0;
    }

    private void lookLater() {
        look = channel.eventLoop().schedule(this::look, periodMillis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        look = null;
        if (!channel.isActive()) {
            stop();
            return;
        }
        long now = queue.progress();
        boolean hasRead = now != progress;
        progress = now;
        stillMillis = hasRead || !queue.mustRead() || queue.bytes() == 0 ? 0 : stillMillis + periodMillis;
        if (stillMillis >= timeoutMillis) {
            stalled(Limit.STALLED_READER);
        } else if (count(hasRead)) {
            lookLater();
        }
    }

    /** Too much waits for all. What was counted may have been read since. */
    private void shed(long bytes) {
        if (count(true) && counted > bytes / 2) {
            stalled(Limit.UNREAD_BYTES);
        }
    }

    private void stalled(Limit limit) {
        if (!over && channel.isActive()) {
            stop();
            queue.stalled(limit);
        }
    }
}
