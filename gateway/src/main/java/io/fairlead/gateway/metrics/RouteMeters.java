package io.fairlead.gateway.metrics;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.RouteMetrics;
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
public final class RouteMeters implements RouteMetrics {
    private final MeterRegistry registry;
    private final ClusterDirectory directory;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public RouteMeters(MeterRegistry registry, ClusterDirectory directory) {
        this.registry = registry;
        this.directory = directory;
    }

    @Override
    public void routed(ClusterName cluster, Route.Kind kind) {
        OfCluster counters = clusters.get(cluster);
        if (counters == null) {
            counters = clusters.computeIfAbsent(cluster, OfCluster::new);
            if (directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
                forget(cluster); // The cluster was removed meanwhile, and nothing else would remove its series.
            }
        }
        counters.count(kind);
    }

    /** Drops the series of a removed cluster. */
    public void forget(ClusterName cluster) {
        clusters.computeIfPresent(cluster, (_, counters) -> {
            counters.meters.remove();
            return null;
        });
    }

    private final class OfCluster {
        private final MeterGroup meters = new MeterGroup(registry);
        private final Map<Route.Kind, Counter> counters;

        OfCluster(ClusterName cluster) {
            this.counters = Arrays.stream(Route.Kind.values())
                    .collect(Collectors.toUnmodifiableMap(
                            Function.identity(),
                            kind -> Objects.requireNonNull(meters.add(Counter.builder("fairlead.requests.routed")
                                    .description("Requests to clusters, by where the serves index routed them to.")
                                    .tags("cluster", cluster.value(), "route", kind.word())::register))));
        }

        void count(Route.Kind kind) {
            Objects.requireNonNull(counters.get(kind)).increment();
        }
    }
}
