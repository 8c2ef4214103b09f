package io.fairlead.net;

import java.util.List;

/** Counts the connections of one upstream, and shows the state of its endpoints. Called on event loops; must not block. */
public interface ConnectionMetrics {
    ConnectionMetrics NONE = new ConnectionMetrics() {};

    /** A connection is ready for requests; {@code protocol} is {@code h2} or {@code http/1.1}. */
    default void opened(String protocol) {}

    /** A connection that was ready is closed. */
    default void closed(String protocol) {}

    /** A connection could not be established. */
    default void failed(UpstreamFailure.Kind why) {}

    /** A request that had not reached its server is sent to another endpoint, or over another connection. */
    default void resent() {}

    /** What is known of the endpoints by now, in their order; on one event loop. */
    default void endpoints(List<EndpointReport> endpoints) {}
}
