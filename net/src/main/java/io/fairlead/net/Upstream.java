package io.fairlead.net;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One API server (or several equal ones) and the connections to it. Each cluster has its own, so that a dead one costs
 * the others nothing; closing it closes every connection and fails every exchange.
 */
public interface Upstream extends AutoCloseable {
    /**
     * Sends a request. The head goes out at once, the body through the returned exchange, the answer to the receiver.
     * All callbacks run on the exchange's event loop, one at a time; a failure to connect is a callback as well.
     *
     * @param head method, origin-form target and end-to-end headers; framing and hop-by-hop headers are this client's
     * @param kind which connections to use and whether the first-byte timeout holds
     * @param preferredLoop the loop to run on, or null for any
     */
    Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver);

    /**
     * Asks an API server to go on with another protocol, over HTTP/1.1 on a connection that serves nothing else and is
     * never used again. What it answers instead of a 101 is heard like any answer. Nothing is tried twice.
     *
     * @param head a head without a body; {@code Connection} and {@code Upgrade} are this client's
     * @param protocols the value of {@code Upgrade}
     * @param loop the loop to run on, one of this client's
     * @return the attempt; it has no body to write, and nothing more to do once the receiver has the connection
     * @throws IllegalStateException if the servers are made sure of by an {@link Introduction}
     */
    Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver);

    /** Uses other endpoints, trust or credentials for new connections; exchanges under way end on the old ones. */
    void reconfigure(UpstreamSpec spec);

    @Override
    void close();

    /** What a request is to a connection pool. */
    enum Kind {
        /** A call that answers soon: the first byte must come within the timeout. */
        SHORT,
        /** A watch or another stream: no timeout of its own, on connections apart from short calls. */
        LONG_RUNNING
    }
}
