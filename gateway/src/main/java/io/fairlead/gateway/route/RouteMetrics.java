package io.fairlead.gateway.route;

import io.fairlead.model.ClusterName;

/** Observes the route of each request. Any thread; never blocks. */
@FunctionalInterface
public interface RouteMetrics {
    /** A request to a cluster was routed, or rejected. */
    void routed(ClusterName cluster, Route.Kind kind);
}
