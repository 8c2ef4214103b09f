package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;

/** Counts connections and the limits that they meet. Called on event loops; never blocks. */
public interface ConnectionMeter extends LimitMeter {
    /** Counts nothing. */
    ConnectionMeter NONE = new ConnectionMeter() {};

    /** A handshake is done. */
    default void opened(Protocol protocol) {}

    /** A connection that was counted as opened is closed. */
    default void closed(Protocol protocol) {}

    /** A connection was closed at accept: too many of them, or too many from its address. */
    default void refused() {}

    /** A connection ended before its handshake was done. */
    default void handshakeFailed() {}

    @Override
    default void reached(Limit limit) {}

    /** What is spoken on a connection. */
    enum Protocol {
        HTTP1,
        HTTP2
    }
}
