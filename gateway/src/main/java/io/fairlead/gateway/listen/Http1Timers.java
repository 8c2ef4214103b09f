package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
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

        void idle();

        void stalled();
    }

    private final Channel channel;
    private final Owner owner;
    private final long headMillis;
    private final IdleTimer idle;
    private final StalledReader reader;
    private @Nullable Future<?> head;

    /** Timers of a new connection. */
    Http1Timers(Channel channel, LimitSettings limits, Owner owner) {
        this.channel = channel;
        this.owner = owner;
        this.headMillis = limits.headTimeout().toMillis();
        this.idle = new IdleTimer(channel.eventLoop(), limits.connectionIdleTimeout(), owner::isServing, owner::idle);
        this.reader = new StalledReader(
                channel,
                channel::isWritable,
                channel::bytesBeforeWritable,
                limits.stalledReaderTimeout(),
                owner::stalled);
    }

    IdleTimer idle() {
        return idle;
    }

    /** Of the queue of answers; the reader of the current one may be exempt. */
    StalledReader reader() {
        return reader;
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
        reader.stop();
    }
}
