package io.fairlead.gateway.metrics;

import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.RouteMeter;
import io.fairlead.gateway.select.ClusterDirectory;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.model.ClusterName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts by cluster where requests were routed to. Any thread. */
public final class RouteCounters implements RouteMeter {
    private final MeterRegistry registry;
    private final ClusterDirectory directory;
    private final ConcurrentMap<ClusterName, Map<Route.Kind, Counter>> clusters = new ConcurrentHashMap<>();

    public RouteCounters(MeterRegistry registry, ClusterDirectory directory) {
        this.registry = registry;
        this.directory = directory;
    }

    @Override
    public void routed(ClusterName cluster, Route.Kind kind) {
        Map<Route.Kind, Counter> counters = clusters.get(cluster);
        if (counters == null) {
            counters = clusters.computeIfAbsent(cluster, this::counters);
            if (directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
                forget(cluster); // It left meanwhile, and nobody would take its series away.
            }
        }
        Objects.requireNonNull(counters.get(kind)).increment();
    }

    /** Drops the series of a cluster that is gone. */
    public void forget(ClusterName cluster) {
        Map<Route.Kind, Counter> counters = clusters.remove(cluster);
        if (counters != null) {
            counters.values().forEach(registry::remove);
        }
    }

    /** One for each kind. */
    private Map<Route.Kind, Counter> counters(ClusterName cluster) {
        return Arrays.stream(Route.Kind.values())
                .collect(Collectors.toUnmodifiableMap(
                        Function.identity(),
                        kind -> Counter.builder("fairlead.requests.routed")
                                .description("Requests to clusters, by where the serves index routed them to.")
                                .tags("cluster", cluster.value(), "route", kind.word())
                                .register(registry)));
    }
}
