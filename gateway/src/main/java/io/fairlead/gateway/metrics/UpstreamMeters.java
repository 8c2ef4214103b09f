package io.fairlead.gateway.metrics;

import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections to attached clusters. Any thread. */
public final class UpstreamMeters {
    private final MeterRegistry registry;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public UpstreamMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Where the connections to a cluster are counted from now on. */
    public ConnectionMetrics of(ClusterName cluster) {
        OfCluster series = new OfCluster(cluster);
        OfCluster before = clusters.put(cluster, series);
        if (before != null) {
            before.remove();
        }
        return series;
    }

    /** Drops the series of a cluster that is gone; connections that close later are counted nowhere. */
    public void forget(ClusterName cluster) {
        OfCluster series = clusters.remove(cluster);
        if (series != null) {
            series.remove();
        }
    }

    private final class OfCluster implements ConnectionMetrics {
        private final ClusterName cluster;
        private final ConcurrentMap<String, AtomicInteger> open = new ConcurrentHashMap<>();
        private final Set<Meter.Id> meters = ConcurrentHashMap.newKeySet();
        private volatile boolean removed;

        OfCluster(ClusterName cluster) {
            this.cluster = cluster;
        }

        @Override
        public void opened(String protocol) {
            open(protocol).incrementAndGet();
            count(
                    "fairlead.upstream.connections.opened",
                    "Connections to attached clusters that stood.",
                    Tags.of("protocol", protocol));
        }

        @Override
        public void closed(String protocol) {
            open(protocol).decrementAndGet();
        }

        @Override
        public void failed(UpstreamFailure.Kind why) {
            count(
                    "fairlead.upstream.connections.failed",
                    "Connections to attached clusters that did not come about.",
                    Tags.of("reason", why.name().toLowerCase(Locale.ROOT)));
        }

        void remove() {
            removed = true;
            meters.forEach(registry::remove);
        }

        private AtomicInteger open(String protocol) {
            return open.computeIfAbsent(protocol, _ -> {
                AtomicInteger count = new AtomicInteger();
                if (!removed) {
                    meters.add(Gauge.builder("fairlead.upstream.connections", count, AtomicInteger::get)
                            .description("Open connections to attached clusters.")
                            .tags("cluster", cluster.value(), "protocol", protocol)
                            .register(registry)
                            .getId());
                }
                return count;
            });
        }

        private void count(String name, String description, Tags tags) {
            if (!removed) {
                Counter counter = Counter.builder(name)
                        .description(description)
                        .tags(tags.and("cluster", cluster.value()))
                        .register(registry);
                meters.add(counter.getId());
                counter.increment();
            }
        }
    }
}
