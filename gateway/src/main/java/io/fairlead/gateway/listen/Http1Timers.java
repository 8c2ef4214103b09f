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
    private final SocketQueue queue = new Output();
    private @Nullable Object caller;
    private @Nullable Object cluster;
    private @Nullable StalledReader reader;
    private boolean readerMayWait;
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

    /** Answers were flushed, or read. Most leave nothing behind, and need no timer. */
    void flushed() {
        if (reader != null || queue.bytes() > 0) {
            reader().flushed();
        }
    }

    /** So many bytes of the answer wait at their source. */
    void waiting(int bytes) {
        if (reader != null || bytes > 0) {
            reader().waiting(bytes);
        }
    }

    /** The source of the answer was read to its end, or given up. */
    void sourceEnded() {
        if (reader != null) {
            reader.sourceEnded();
        }
    }

    /** Another request begins: what is known of the earlier one's reader does not hold for its own. */
    void nextReader() {
        caller = null;
        cluster = null;
        readerMayWait = false;
        waiting(0);
    }

    /** Who made the current request. */
    void readBy(Object newCaller) {
        caller = newCaller;
    }

    /** Whose answer it is. */
    void answeredBy(Object newCluster) {
        cluster = newCluster;
    }

    /** The reader of the current answer is exempt. */
    void ignoreReader() {
        readerMayWait = true;
    }

    private void wasIdle() {
        client.meter().reached(Limit.CONNECTION_IDLE_TIMEOUT);
        owner.abort();
    }

    private StalledReader reader() {
        StalledReader known = reader;
        if (known == null) {
            known = new StalledReader(channel, queue, client.limits().stalledReaderTimeout(), client.unread());
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
            reader = null; // An upgraded connection has another one.
        }
    }

    /** The answers of the connection. */
    private final class Output extends SocketQueue {
        @Override
        Channel channel() {
            return channel;
        }

        @Override
        public ByteBudget.Holder holder() {
            return client.holder(cluster, caller);
        }

        @Override
        public boolean mustRead() {
            return !readerMayWait && !channel.isWritable();
        }

        @Override
        public void stalled(Limit limit) {
            client.meter().reached(limit);
            owner.stalled();
        }
    }
}
