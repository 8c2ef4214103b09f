package io.fairlead.gateway.metrics;

import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.model.ClusterName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Counts by cluster what is noticed of its history. Any thread. */
public final class HistoryMeters implements HistoryMetrics {
    private final MeterRegistry registry;
    private final ToLongFunction<ClusterName> epochs;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    /** @param epochs the present epoch of a cluster */
    public HistoryMeters(MeterRegistry registry, ToLongFunction<ClusterName> epochs) {
        this.registry = registry;
        this.epochs = epochs;
    }

    @Override
    public void follow(ClusterName cluster) {
        of(cluster);
    }

    @Override
    public void travelled(ClusterName cluster, InformerDecision decision) {
        Objects.requireNonNull(of(cluster).travelled.get(decision)).increment();
    }

    @Override
    public void named(ClusterName cluster, NamedRevision revision) {
        Objects.requireNonNull(of(cluster).named.get(revision)).increment();
    }

    /** Drops the series of a removed cluster. */
    public void forget(ClusterName cluster) {
        clusters.computeIfPresent(cluster, (_, counters) -> {
            counters.meters.remove();
            return null;
        });
    }

    private OfCluster of(ClusterName cluster) {
        return clusters.computeIfAbsent(cluster, OfCluster::new);
    }

    private final class OfCluster {
        private final MeterGroup meters = new MeterGroup(registry);
        private final Map<InformerDecision, Counter> travelled;
        private final Map<NamedRevision, Counter> named;

        OfCluster(ClusterName cluster) {
            meters.add(Gauge.builder("fairlead.history.epoch", cluster, epochs::applyAsLong)
                    .description("The count of an attached cluster's histories.")
                    .tag("cluster", cluster.value())::register);
            travelled = counters(
                    InformerDecision.values(),
                    InformerDecision::isTravel,
                    Counter.builder("fairlead.informer.travel")
                            .description("Events of the watches of a cluster's types that went back in time.")
                            .tag("cluster", cluster.value()));
            named = counters(
                    NamedRevision.values(),
                    revision -> revision != NamedRevision.CURRENT,
                    Counter.builder("fairlead.rewound.requests")
                            .description("Requests that named a resourceVersion of a history that may have ended.")
                            .tag("cluster", cluster.value()));
        }

        private <K extends Enum<K>> Map<K, Counter> counters(K[] kinds, Predicate<K> counts, Counter.Builder builder) {
            return Arrays.stream(kinds)
                    .filter(counts)
                    .collect(Collectors.toUnmodifiableMap(
                            Function.identity(),
                            kind -> Objects.requireNonNull(
                                    meters.add(builder.tag("kind", kind.name().toLowerCase(Locale.ROOT))::register))));
        }
    }
}
