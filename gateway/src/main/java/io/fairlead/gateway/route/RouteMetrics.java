package io.fairlead.gateway.route;

import io.fairlead.model.ClusterName;

/** Hears of each request's route. Any thread; never blocks. */
@FunctionalInterface
public interface RouteMetrics {
    /** A request to a cluster was routed, or rejected. */
    void routed(ClusterName cluster, Route.Kind kind);
}
