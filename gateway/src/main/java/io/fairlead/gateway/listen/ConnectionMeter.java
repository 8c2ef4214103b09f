package io.fairlead.gateway.listen;

/** Counts connections. Called on event loops; never blocks. */
public interface ConnectionMeter {
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

    /** What is spoken on a connection. */
    enum Protocol {
        HTTP1,
        HTTP2
    }
}
