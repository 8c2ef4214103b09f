package io.fairlead.gateway.metrics;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.metrics.RequestLabels.Resource;
import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * Series of a cluster or type are removed and created under the lock of the same map entry. So a cluster or type that
 * is deleted and created again gets new series, which the removal of the old ones neither removes nor leaves at an old
 * value, whatever requests do meanwhile.
 */
/**
 * Counts requests under kube-apiserver's names, by cluster, verb and resource.
 *
 * <p>Labels are bounded: a resource gets its own series if the index has it, or after an answer without an error; at
 * most {@value #RESOURCES_MAX} per cluster, and as many as there is {@linkplain MeterCount room} for, all others are {@code other}. They are removed with the cluster, or with
 * the type. Requests that never entered a registered cluster are counted under the empty cluster. Any thread.
 */
public final class RequestMeters {
    private static final int RESOURCES_MAX = 2_000;

    /** Of codes there is one for each class where there is no room for more. */
    private static final int HUNDRED = 100;

    private static final Set<String> SUBRESOURCES = Set.of(
            "status",
            "scale",
            "log",
            "exec",
            "attach",
            "portforward",
            "proxy",
            "binding",
            "eviction",
            "ephemeralcontainers",
            "resize",
            "approval",
            "finalize",
            "token");

    private final MeterRegistry registry;
    private final ClusterDirectory directory;
    private final TypeIndex types;
    private final AtomicInteger readOnly;
    private final AtomicInteger mutating;
    private final ConcurrentMap<ClusterName, ClusterSeries> clusters = new ConcurrentHashMap<>();
    private final ClusterSeries nowhere;
    private final MeterCount all;

    public RequestMeters(MeterRegistry registry, ClusterDirectory directory, TypeIndex types) {
        this(registry, directory, types, Runtime.getRuntime().maxMemory());
    }

    RequestMeters(MeterRegistry registry, ClusterDirectory directory, TypeIndex types, long heapBytes) {
        this.registry = registry;
        this.all = MeterCount.ofHeap(heapBytes);
        this.types = types;
        this.directory = directory;
        this.readOnly = inflight("readOnly");
        this.mutating = inflight("mutating");
        this.nowhere = new ClusterSeries(null);
    }

    /** Counts a request, unless it enters a cluster. */
    public Outcome outside() {
        return new Outcome() {
            @Override
            public void answered(int code) {
                outside(code);
            }
        };
    }

    /** A request that entered no cluster: refused, or to the gateway itself. */
    public void outside(int code) {
        nowhere.rest
                .of(new RequestLabels(RequestLabels.OTHER, "", "", RequestLabels.OTHER, "", ""))
                .count(code);
    }

    /** Starts to measure a request to a cluster. */
    public Outcome begin(Described described, ClusterEntry cluster) {
        return begin(described.info(), described.isLongRunning(), cluster);
    }

    Outcome begin(RequestInfo info, boolean isLongRunning, ClusterEntry cluster) {
        boolean registered = !(cluster instanceof ClusterEntry.NotRegistered);
        return new Measured(info, isLongRunning, cluster.name(), registered);
    }

    /** Drops the series of a removed cluster. */
    public void forget(ClusterName cluster) {
        clusters.computeIfPresent(cluster, (_, series) -> {
            series.remove();
            return null;
        });
    }

    /**
     * Drops the series of types that their cluster is known not to serve, unless a request for one is open, or had an
     * answer without an error since the last call: the index may lag by a moment.
     */
    public void forgetDeletedTypes() {
        clusters.forEach((_, series) -> series.forgetDeletedTypes());
    }

    private AtomicInteger inflight(String kind) {
        AtomicInteger count = new AtomicInteger();
        Gauge.builder("apiserver.current.inflight.requests", count, AtomicInteger::get)
                .description("Short requests that are being answered.")
                .tag("request_kind", kind)
                .register(registry);
        return count;
    }

    /** The series of a cluster; never created again for a removed one. */
    private ClusterSeries series(ClusterName cluster, boolean registered) {
        if (!registered || directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
            return nowhere;
        }
        ClusterSeries series = clusters.computeIfAbsent(cluster, ClusterSeries::new);
        if (directory.lookup(cluster) instanceof ClusterEntry.NotRegistered) {
            forget(cluster);
        }
        return series;
    }

    /** All series of one cluster. */
    private final class ClusterSeries {
        private final @Nullable ClusterName cluster;
        private final ConcurrentMap<Resource, RequestSeries> resources = new ConcurrentHashMap<>();

        /** Of non-resource requests, or of a resource without its own series. */
        private final RequestSeries rest;

        private final MeterCount meters = all.ofCluster();
        private volatile boolean removed;

        ClusterSeries(@Nullable ClusterName cluster) {
            this.cluster = cluster;
            this.rest = newSeries();
        }

        /** As what a request is counted. */
        Counted counted(RequestLabels labels, int code) {
            Resource resource = labels.served();
            RequestSeries known = resource.name().isEmpty() ? rest : resources.get(resource);
            if (meters.isFull() && (known == null || !known.has(labels, code))) {
                return new Counted(rest.of(labels.bounded()), code / HUNDRED * HUNDRED);
            }
            if (resource.name().isEmpty()) {
                return new Counted(rest.of(labels), code);
            }
            boolean succeeded = code != 0 && code < 400;
            if (known == null && (resources.size() >= RESOURCES_MAX || (!succeeded && !isServed(resource)))) {
                return new Counted(rest.of(labels.bounded()), code);
            }
            if (known == null || (succeeded && !known.hasSucceeded())) {
                // Under the lock under which series of removed types are removed: not while a request is counted.
                known = resources.compute(resource, (_, series) -> used(series, succeeded));
                if (removed) {
                    known.remove();
                }
            }
            return new Counted(known.of(labels), code);
        }

        private RequestSeries used(@Nullable RequestSeries known, boolean succeeded) {
            RequestSeries series = known == null ? newSeries() : known;
            if (succeeded) {
                series.succeeded();
            }
            return series;
        }

        void forgetDeletedTypes() {
            for (Resource resource : resources.keySet()) {
                resources.computeIfPresent(resource, (_, series) -> {
                    if (series.wasUsed() || !isGone(resource)) {
                        return series;
                    }
                    series.remove();
                    return null;
                });
            }
        }

        void remove() {
            removed = true;
            rest.remove();
            resources.values().forEach(RequestSeries::remove);
        }

        private RequestSeries newSeries() {
            return new RequestSeries(cluster == null ? "" : cluster.value(), registry, meters);
        }

        /** Subresources are not indexed, and arbitrary names must not become labels. */
        private boolean isServed(Resource resource) {
            return cluster != null
                    && (resource.subresource().isEmpty() || SUBRESOURCES.contains(resource.subresource()))
                    && types.serves(cluster, resource.group(), resource.version(), resource.name());
        }

        private boolean isGone(Resource resource) {
            return cluster != null && types.lacks(cluster, resource.group(), resource.version(), resource.name());
        }
    }

    /** As what a request is counted, and where. */
    private record Counted(RequestSeries.Labelled series, int code) {}

    /** One request. On its event loop. */
    private final class Measured implements Outcome {
        private final RequestLabels labels;
        private final ClusterName cluster;
        private final boolean registered;
        private final boolean isLongRunning;
        private final AtomicInteger inflight;
        private final long startNanos = System.nanoTime();
        private AtomicInteger open = new AtomicInteger();
        private @Nullable Counter watchEvents;
        private int code;

        Measured(RequestInfo info, boolean isLongRunning, ClusterName cluster, boolean registered) {
            this.labels = RequestLabels.of(info);
            this.cluster = cluster;
            this.registered = registered;
            this.isLongRunning = isLongRunning;
            this.inflight = info.isReadOnly() ? readOnly : mutating;
            if (!isLongRunning) {
                inflight.incrementAndGet();
            }
        }

        @Override
        public void answered(int answeredCode) {
            code = answeredCode;
            if (isLongRunning) {
                Counted counted = series(cluster, registered).counted(labels, code);
                open = counted.series().longRunning();
                open.incrementAndGet();
                boolean isWatch = code == 200 && labels.verb().equals("watch");
                watchEvents = isWatch ? counted.series().watchEvents() : null;
            }
        }

        @Override
        public void events(int count) {
            if (watchEvents != null) {
                watchEvents.increment(count);
            }
        }

        @Override
        public void over() {
            Counted counted = series(cluster, registered).counted(labels, code);
            counted.series().count(counted.code());
            if (!isLongRunning) {
                inflight.decrementAndGet();
                counted.series().record(System.nanoTime() - startNanos);
            } else if (code != 0) {
                open.decrementAndGet();
            }
        }
    }
}
