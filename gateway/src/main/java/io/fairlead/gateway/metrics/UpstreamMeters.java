package io.fairlead.gateway.metrics;

import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.EndpointReport;
import io.fairlead.net.UpstreamFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Counts the connections to attached clusters. Any thread. */
public final class UpstreamMeters {
    private final MeterRegistry registry;
    private final ConcurrentMap<ClusterName, OfCluster> clusters = new ConcurrentHashMap<>();

    public UpstreamMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The counters of connections to a cluster from now on. */
    public ConnectionMetrics of(ClusterName cluster) {
        return Objects.requireNonNull(clusters.compute(cluster, (_, before) -> {
            if (before != null) {
                before.remove();
            }
            return new OfCluster(cluster);
        }));
    }

    /** Drops the series of a removed cluster; connections that close later are not counted. */
    public void forget(ClusterName cluster) {
        clusters.computeIfPresent(cluster, (_, series) -> {
            series.remove();
            return null;
        });
    }

    private final class OfCluster implements ConnectionMetrics {
        private final ClusterName cluster;
        private final ConcurrentMap<String, AtomicInteger> open = new ConcurrentHashMap<>();
        private final MeterGroup meters = new MeterGroup(registry);
        private final Counter resent;
        private MeterGroup ofEndpoints = new MeterGroup(registry);
        private Set<String> urls = Set.of();
        private boolean isRemoved;
        private volatile Map<String, Boolean> ready = Map.of();

        OfCluster(ClusterName cluster) {
            this.cluster = cluster;
            this.resent = Objects.requireNonNull(meters.add(Counter.builder("fairlead.upstream.requests.resent")
                    .description("Requests that had not reached their API server and were sent once more.")
                    .tag("cluster", cluster.value())::register));
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

        @Override
        public void resent() {
            resent.increment();
        }

        @Override
        public synchronized void endpoints(List<EndpointReport> endpoints) {
            ready = endpoints.stream()
                    .collect(Collectors.toUnmodifiableMap(
                            EndpointReport::url, endpoint -> endpoint.verdict().isReady(), (one, other) -> one));
            if (!isRemoved && !urls.equals(ready.keySet())) {
                urls = ready.keySet();
                ofEndpoints.remove();
                ofEndpoints = new MeterGroup(registry);
                urls.forEach(this::show);
            }
        }

        /** Each endpoint has a series of its own, of which a cluster has as many as its registration names. */
        private void show(String url) {
            ofEndpoints.add(metrics -> Gauge.builder(
                            "fairlead.upstream.endpoint.ready", () -> ready.getOrDefault(url, false) ? 1 : 0)
                    .description("Whether an API server of an attached cluster is known to be ready.")
                    .tags("cluster", cluster.value(), "endpoint", url)
                    .register(metrics));
        }

        synchronized void remove() {
            meters.remove();
            ofEndpoints.remove();
            isRemoved = true;
        }

        private AtomicInteger open(String protocol) {
            return open.computeIfAbsent(protocol, _ -> {
                AtomicInteger count = new AtomicInteger();
                meters.add(metrics -> Gauge.builder("fairlead.upstream.connections", count, AtomicInteger::get)
                        .description("Open connections to attached clusters.")
                        .tags("cluster", cluster.value(), "protocol", protocol)
                        .register(metrics));
                return count;
            });
        }

        private void count(String name, String description, Tags tags) {
            Counter counter = meters.add(metrics -> Counter.builder(name)
                    .description(description)
                    .tags(tags.and("cluster", cluster.value()))
                    .register(metrics));
            if (counter != null) {
                counter.increment();
            }
        }
    }
}
