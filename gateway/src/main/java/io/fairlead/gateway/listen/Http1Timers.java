package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a client's HTTP/1.1 connection waits for: heads, requests, and its reader. On its event loop. */
final class Http1Timers {
    /** Hears which of them waited too long. */
    interface Owner {
        /** Who reads the current answer. */
        ByteBudget.Holder reader();

        /** Whether a request is being served, so that the client owes nothing. */
        boolean isServing();

        void headTooSlow();

        /** The client was idle. */
        void abort();

        /** The client reads nothing. */
        void stalled();
    }

    private final Channel channel;
    private final ClientConnection client;
    private final Owner owner;
    private final long headMillis;
    private final IdleTimer idle;
    private @Nullable StalledReader reader;
    private @Nullable Future<?> head;

    /** Timers of a new connection. */
    Http1Timers(Channel channel, ClientConnection client, Owner owner) {
        LimitSettings limits = client.limits();
        this.channel = channel;
        this.client = client;
        this.owner = owner;
        this.headMillis = limits.headTimeout().toMillis();
        this.idle = new IdleTimer(channel.eventLoop(), limits.connectionIdleTimeout(), owner::isServing, this::wasIdle);
    }

    IdleTimer idle() {
        return idle;
    }

    /** Something was added to the queue of answers. Most queues are never full, and need no timer. */
    void wrote() {
        if (reader != null || !channel.isWritable()) {
            reader().wrote();
        }
    }

    /** So many bytes of the answer wait at their source. */
    void waiting(int bytes) {
        if (reader != null || bytes > 0) {
            reader().waiting(bytes);
        }
    }

    /** The queue is full, or has room again. */
    void writabilityChanged() {
        if (!channel.isWritable()) {
            channel.eventLoop().execute(this::wrote); // Behind the flush, of which only a part is there.
        } else if (reader != null) {
            reader.hasRoom();
        }
    }

    /** The reader of the current answer is exempt. */
    void ignoreReader() {
        reader().ignore();
    }

    /** The reader of the next answer is not. */
    void heedReader() {
        if (reader != null) {
            reader.heedNext();
        }
    }

    private void wasIdle() {
        client.meter().reached(Limit.CONNECTION_IDLE_TIMEOUT);
        owner.abort();
    }

    private StalledReader reader() {
        StalledReader known = reader;
        if (known == null) {
            known = new StalledReader(channel, new Output(), client.limits().stalledReaderTimeout(), client.unread());
            reader = known;
        }
        return known;
    }

    /** The start of a head is there, its end is not. */
    void awaitHead() {
        if (head == null) {
            head = channel.eventLoop().schedule(owner::headTooSlow, headMillis, TimeUnit.MILLISECONDS);
        }
    }

    void headCame() {
        if (head != null) {
            head.cancel(false);
            head = null;
        }
    }

    void stop() {
        headCame();
        idle.stop();
        if (reader != null) {
            reader.stop();
        }
    }

    /** The answers of the connection. */
    private final class Output implements StalledReader.Queue {
        @Override
        public ByteBudget.Holder reader() {
            return owner.reader();
        }

        @Override
        public boolean isFull() {
            return !channel.isWritable();
        }

        @Override
        public long bytes() {
            return channel.bytesBeforeWritable();
        }

        @Override
        public long bytesAhead() {
            return channel.bytesBeforeWritable();
        }

        @Override
        public void stalled(Limit limit) {
            client.meter().reached(limit);
            owner.stalled();
        }
    }
}
