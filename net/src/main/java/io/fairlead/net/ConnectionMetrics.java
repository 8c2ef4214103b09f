package io.fairlead.net;

/** Counts the connections of one upstream. Called on event loops; must not block. */
public interface ConnectionMetrics {
    ConnectionMetrics NONE = new ConnectionMetrics() {};

    /** A connection is ready for requests; {@code protocol} is {@code h2} or {@code http/1.1}. */
    default void opened(String protocol) {}

    /** A connection that was ready is closed. */
    default void closed(String protocol) {}

    /** A connection could not be established. */
    default void failed(UpstreamFailure.Kind why) {}
}
