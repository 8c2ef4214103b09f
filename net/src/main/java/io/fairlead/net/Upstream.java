package io.fairlead.net;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One API server (or several equal ones) and the connections to it. Each cluster has its own, so that an unreachable
 * one does not affect the others; closing it closes every connection and fails every exchange.
 */
public interface Upstream extends AutoCloseable {
    /**
     * Sends a request. The head is sent at once, the body through the returned exchange, the answer to the receiver.
     * All callbacks run on the exchange's event loop, one at a time; a failure to connect is a callback too.
     *
     * @param head method, origin-form target and end-to-end headers; this client sets framing and hop-by-hop headers
     * @param kind which connections to use and whether the first-byte timeout applies
     * @param preferredLoop the loop to run on, or null for any
     */
    Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver);

    /**
     * Requests an upgrade from an API server, over HTTP/1.1 on a separate connection that is never used again. An
     * answer other than 101 is received like any answer. Nothing is tried twice.
     *
     * @param head a head without a body; this client sets {@code Connection} and {@code Upgrade}
     * @param protocols the value of {@code Upgrade}
     * @param loop the loop to run on, one of this client's
     * @return the attempt; it has no body to write, and nothing more to do once the receiver has the connection
     * @throws IllegalStateException if the servers are verified by an {@link Introduction}
     */
    Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver);

    /**
     * What a server said of a request of Fairlead's own, in which the token that it was sent is hidden, should it repeat it. For all
     * that is shown or logged.
     */
    default String withoutCredential(String said) {
        return said;
    }

    /**
     * Says whether the servers of a specification take this side for a front proxy, by their answers to {@link Sender#FRONT_PROXY_TRIAL}.
     * Requests of {@link Sender#FRONT_PROXY} are sent only then, and by no configuration that was not tried itself.
     *
     * @param tried the specification; nothing changes if it is no longer the current one
     */
    default void triedAsFrontProxy(UpstreamSpec tried, boolean isTaken) {}

    /** Uses other endpoints, trust or credentials for new connections; exchanges in progress end on the old ones. */
    void reconfigure(UpstreamSpec spec);

    @Override
    void close();

    /** The kind of a request, for the connection pool. */
    enum Kind {
        /** A call with a quick answer: the first byte must arrive within the timeout. */
        SHORT,
        /**
         * A short call whose answer may be large. Over HTTP/2 on connections of its own, since what is sent on a stream of
         * a connection delays all others of it.
         */
        LIST,
        /** A watch or another stream: without a timeout, on connections of its own. */
        LONG_RUNNING;

        /** Whether it ends soon by itself. */
        boolean isShort() {
            return this != LONG_RUNNING;
        }
    }
}
