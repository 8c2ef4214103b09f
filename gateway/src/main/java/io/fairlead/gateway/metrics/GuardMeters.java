package io.fairlead.gateway.metrics;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.guard.GuardMetrics;
import io.fairlead.index.history.WatchDecision;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts by cluster which events of watches went back in time, and what could not be judged. Any thread. */
public final class GuardMeters {
    private final MeterRegistry registry;
    private final ClusterDirectory directory;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public GuardMeters(MeterRegistry registry, ClusterDirectory directory) {
        this.registry = registry;
        this.directory = directory;
    }

    /** The counters of a cluster. */
    public GuardMetrics of(ClusterName cluster) {
        OfCluster counters = clusters.computeIfAbsent(cluster, OfCluster::new);
        if (directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
            forget(cluster); // The cluster was removed meanwhile, and nothing else would remove its series.
        }
        return counters;
    }

    /** Drops the series of a removed cluster. */
    public void forget(ClusterName cluster) {
        clusters.computeIfPresent(cluster, (_, counters) -> {
            counters.meters.remove();
            return null;
        });
    }

    private final class OfCluster implements GuardMetrics {
        private final MeterGroup meters = new MeterGroup(registry);
        private final AtomicInteger unguardedStreams = new AtomicInteger();
        private final Map<WatchDecision, Counter> travelled;
        private final Counter unguardedEvents;

        OfCluster(ClusterName cluster) {
            String name = cluster.value();
            meters.add(Gauge.builder("fairlead.unguarded.streams", unguardedStreams, AtomicInteger::get)
                    .description("Open watches whose events cannot be ordered or read.")
                    .tag("cluster", name)::register);
            unguardedEvents = Objects.requireNonNull(meters.add(Counter.builder("fairlead.unguarded.events")
                    .description("Events of watches that could not be judged.")
                    .tag("cluster", name)::register));
            travelled = Arrays.stream(WatchDecision.values())
                    .filter(WatchDecision::isTravel)
                    .collect(Collectors.toUnmodifiableMap(Function.identity(), decision -> travelled(name, decision)));
        }

        private Counter travelled(String cluster, WatchDecision decision) {
            return Objects.requireNonNull(meters.add(Counter.builder("fairlead.time.travel")
                    .description("Events of proxied watches that went back in time, by what they were.")
                    .tags("cluster", cluster, "kind", decision.name().toLowerCase(Locale.ROOT))::register));
        }

        @Override
        public void judged(WatchDecision decision) {
            if (decision == WatchDecision.UNGUARDED) {
                unguardedEvents.increment();
            } else if (decision.isTravel()) {
                Objects.requireNonNull(travelled.get(decision)).increment();
            }
        }

        @Override
        public void unguarded(int change) {
            unguardedStreams.addAndGet(change);
        }
    }
}
