package io.fairlead.gateway.metrics;

import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.gateway.select.ClusterDirectory;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests under kube-apiserver's names, by cluster and by what they ask for.
 *
 * <p>Labels are bounded: a resource gets series of its own if the index knows it, or once it was answered without an error;
 * of one cluster at most {@value #RESOURCES_MAX} do, and all others are {@code other}. What never entered a registered cluster is counted under the
 * empty cluster. Any thread.
 */
public final class RequestMeter {
    private static final int RESOURCES_MAX = 2_000;
    private static final String OTHER = "other";
    private static final Set<String> VERBS = Set.of(
            "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy", "head", "post");
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
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private final MeterRegistry registry;
    private final ClusterDirectory directory;
    private final TypeIndex types;
    private final AtomicInteger readOnly;
    private final AtomicInteger mutating;
    private final ConcurrentMap<ClusterName, ClusterSeries> clusters = new ConcurrentHashMap<>();
    private final ClusterSeries nowhere;

    public RequestMeter(MeterRegistry registry, ClusterDirectory directory, TypeIndex types) {
        this.registry = registry;
        this.types = types;
        this.directory = directory;
        this.readOnly = inflight("readOnly");
        this.mutating = inflight("mutating");
        this.nowhere = new ClusterSeries(null);
    }

    /** A request that entered no cluster: refused, or to the gateway itself. */
    public void outside(int code) {
        nowhere.requests(new Type(OTHER, "", "", OTHER, "", ""), code).increment();
    }

    /** Begins to measure a request to a cluster. */
    public Outcome begin(Described described, ClusterEntry cluster) {
        boolean registered = !(cluster instanceof ClusterEntry.NotRegistered);
        return new Measured(described, cluster.name(), registered);
    }

    /** Drops the series of a cluster that is gone. */
    public void forget(ClusterName cluster) {
        ClusterSeries series = clusters.remove(cluster);
        if (series != null) {
            series.remove();
        }
    }

    private AtomicInteger inflight(String kind) {
        AtomicInteger count = new AtomicInteger();
        Gauge.builder("apiserver.current.inflight.requests", count, AtomicInteger::get)
                .description("Short requests that are being answered.")
                .tag("request_kind", kind)
                .register(registry);
        return count;
    }

    /** The series of a cluster; of one that left meanwhile none is made again. */
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

    private static Type type(RequestInfo info) {
        String verb = VERBS.contains(info.verb()) ? info.verb() : OTHER;
        if (!info.resourceRequest()) {
            return new Type(verb, "", "", "", "", "");
        }
        return new Type(verb, info.group(), info.version(), info.resource(), info.subresource(), scope(info));
    }

    /** kube-apiserver's {@code CleanScope}. */
    private static String scope(RequestInfo info) {
        if (!info.name().isEmpty()) {
            return "resource";
        }
        return info.namespace().isEmpty() ? "cluster" : "namespace";
    }

    private record Type(String verb, String group, String version, String resource, String subresource, String scope) {
        Type bounded() {
            return new Type(verb, "", "", OTHER, "", scope);
        }

        Resource served() {
            return new Resource(group, version, resource, subresource);
        }
    }

    private record Resource(String group, String version, String name, String subresource) {}

    private record Answered(Type type, int code) {}

    /** All series of one cluster. */
    private final class ClusterSeries {
        private final @Nullable ClusterName cluster;
        private final Set<Resource> known = ConcurrentHashMap.newKeySet();
        private final ConcurrentMap<Answered, Counter> requests = new ConcurrentHashMap<>();
        private final ConcurrentMap<Type, Timer> durations = new ConcurrentHashMap<>();
        private final ConcurrentMap<Type, AtomicInteger> longRunning = new ConcurrentHashMap<>();
        private final ConcurrentMap<Type, Counter> watchEvents = new ConcurrentHashMap<>();
        private final Set<Meter.Id> meters = ConcurrentHashMap.newKeySet();
        private volatile boolean removed;

        ClusterSeries(@Nullable ClusterName cluster) {
            this.cluster = cluster;
        }

        Type admitted(Type type, int code) {
            Resource resource = type.served();
            if (resource.name().isEmpty() || known.contains(resource)) {
                return type;
            }
            if (known.size() >= RESOURCES_MAX || (code >= 400 && !isServed(resource))) {
                return type.bounded();
            }
            known.add(resource);
            return type;
        }

        /** Subresources are not indexed, and whatever is asked for must not become a label. */
        private boolean isServed(Resource resource) {
            return cluster != null
                    && (resource.subresource().isEmpty() || SUBRESOURCES.contains(resource.subresource()))
                    && types.serves(cluster, resource.group(), resource.version(), resource.name());
        }

        Counter requests(Type type, int code) {
            return requests.computeIfAbsent(
                    new Answered(type, code),
                    key -> kept(Counter.builder("apiserver.request")
                            .description("Requests, by what they ask for and how they were answered.")
                            .tags(tags(type).and("code", Integer.toString(code)))
                            .register(registry)));
        }

        Timer durations(Type type) {
            return durations.computeIfAbsent(
                    type,
                    key -> kept(Timer.builder("apiserver.request.duration")
                            .description("Time from a short request's head to the end of its answer.")
                            .tags(tags(type))
                            .serviceLevelObjectives(BUCKETS)
                            .register(registry)));
        }

        AtomicInteger longRunning(Type type) {
            return longRunning.computeIfAbsent(type, key -> {
                AtomicInteger count = new AtomicInteger();
                kept(Gauge.builder("apiserver.longrunning.requests", count, AtomicInteger::get)
                        .description("Watches and other long-running requests that are open.")
                        .tags(tags(type))
                        .register(registry));
                return count;
            });
        }

        Counter watchEvents(Type type) {
            return watchEvents.computeIfAbsent(
                    type,
                    key -> kept(Counter.builder("apiserver.watch.events")
                            .description("Events that watches were sent, bookmarks included.")
                            .tags(tags(type))
                            .register(registry)));
        }

        void remove() {
            removed = true;
            meters.forEach(registry::remove);
        }

        /** A request that ends after its cluster went must not bring series back. */
        private <M extends Meter> M kept(M meter) {
            meters.add(meter.getId());
            if (removed) {
                registry.remove(meter.getId());
            }
            return meter;
        }

        private Tags tags(Type type) {
            return Tags.of(
                    "cluster",
                    cluster == null ? "" : cluster.value(),
                    "verb",
                    type.verb(),
                    "group",
                    type.group(),
                    "version",
                    type.version(),
                    "resource",
                    type.resource(),
                    "subresource",
                    type.subresource(),
                    "scope",
                    type.scope());
        }
    }

    /** One request. On its event loop. */
    private final class Measured implements Outcome {
        private final Type type;
        private final ClusterName cluster;
        private final boolean registered;
        private final boolean isLongRunning;
        private final AtomicInteger inflight;
        private final long startNanos = System.nanoTime();
        private AtomicInteger open = new AtomicInteger();
        private @Nullable Counter watchEvents;
        private int code;

        Measured(Described described, ClusterName cluster, boolean registered) {
            this.type = type(described.info());
            this.cluster = cluster;
            this.registered = registered;
            this.isLongRunning = described.isLongRunning();
            this.inflight = described.info().isReadOnly() ? readOnly : mutating;
            if (!isLongRunning) {
                inflight.incrementAndGet();
            }
        }

        @Override
        public void answered(int answeredCode) {
            code = answeredCode;
            if (isLongRunning) {
                ClusterSeries series = series(cluster, registered);
                Type admitted = series.admitted(type, code);
                open = series.longRunning(admitted);
                open.incrementAndGet();
                watchEvents = code == 200 && type.verb().equals("watch") ? series.watchEvents(admitted) : null;
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
            ClusterSeries series = series(cluster, registered);
            Type admitted = series.admitted(type, code == 0 ? 499 : code);
            series.requests(admitted, code).increment();
            if (!isLongRunning) {
                inflight.decrementAndGet();
                series.durations(admitted).record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
            } else if (code != 0) {
                open.decrementAndGet();
            }
        }
    }
}
