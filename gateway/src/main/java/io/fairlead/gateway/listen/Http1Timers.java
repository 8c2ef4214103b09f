package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
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
    private final Duration stalledReaderTimeout;
    private @Nullable StalledReader reader;
    private @Nullable Future<?> head;

    /** Timers of a new connection. */
    Http1Timers(Channel channel, LimitSettings limits, Owner owner) {
        this.channel = channel;
        this.owner = owner;
        this.headMillis = limits.headTimeout().toMillis();
        this.idle = new IdleTimer(channel.eventLoop(), limits.connectionIdleTimeout(), owner::isServing, owner::idle);
        this.stalledReaderTimeout = limits.stalledReaderTimeout();
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

    /** The reader of the current answer is exempt. */
    void ignoreReader() {
        reader().ignore();
    }

    /** The reader of the next answer is not. */
    void heedReader() {
        if (reader != null) {
            reader.heed();
        }
    }

    private StalledReader reader() {
        StalledReader known = reader;
        if (known == null) {
            known = new StalledReader(
                    channel, channel::isWritable, channel::bytesBeforeWritable, stalledReaderTimeout, owner::stalled);
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
}
