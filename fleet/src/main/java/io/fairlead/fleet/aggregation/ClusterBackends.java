package io.fairlead.fleet.aggregation;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.root.Condition;
import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiService;
import io.fairlead.hosted.ApiServices;
import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamClient;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The backends of one hosted cluster, looked at on threads of their own: a cluster that is slow, or has much to read, holds up no
 * other.
 *
 * <p>Threads: any; looks follow each other.
 */
final class ClusterBackends implements AutoCloseable, ServiceBackend.Checks {
    /** Checks of one cluster that run at once. */
    private static final int CHECKS_MAX = 4;

    private static final String OBJECTS = "/apis/apiregistration.k8s.io/v1/apiservices/";
    private static final String AVAILABLE = Condition.AVAILABLE;
    private static final int OBJECT_BYTES_MAX = 2 << 20;
    private static final Finding TOO_MANY = Finding.no(
            "TooManyAPIServices", "the cluster has more than " + ApiServices.MAX + " APIServices that name services");

    private static final Finding NOT_ALLOWED = Finding.no(
            "FailedDiscoveryCheck",
            "hosted.backendAddresses of the gateway is empty (expected the addresses that backends may have)");

    private final ClusterName cluster;
    private final ApiServices services;
    private final ClusterCalls calls;
    private final UpstreamClient client;
    private final Optional<FrontProxies.Proof> proof;
    private final Work work;
    private final InstantSource clock;
    private final Semaphore checks = new Semaphore(CHECKS_MAX);

    /** Set as long as a look goes on, or for ever once all is closed. */
    private final AtomicBoolean isLooking = new AtomicBoolean();

    private volatile boolean isClosed;
    private volatile boolean isDue = true;

    /** By the uid of the APIService. */
    private final ConcurrentMap<String, ServiceBackend> backends = new ConcurrentHashMap<>();

    /** What each APIService says, as of its revision. */
    private final Map<String, Told> told = new HashMap<>();

    private record Told(Finding finding, long revision) {}

    /** What the backends of all clusters share. */
    interface Work {
        /**
         * Runs something beside the rest.
         *
         * @throws RejectedExecutionException if as much runs as may
         */
        void begin(ClusterName cluster, Task task);

        /** A cluster has something to look at. */
        void wake();

        /** As {@link System#nanoTime}. */
        long nanoTime();
    }

    /** Of a cluster. */
    @FunctionalInterface
    interface Task {
        void run() throws InterruptedException;
    }

    /** @param proof as whom Fairlead comes to them; empty if no address of a backend is allowed, so that it comes to none */
    ClusterBackends(
            ClusterName cluster,
            ApiServices services,
            ClusterCalls calls,
            UpstreamClient client,
            Optional<FrontProxies.Proof> proof,
            Work work,
            InstantSource clock) {
        this.cluster = cluster;
        this.services = services;
        this.calls = calls;
        this.client = client;
        this.proof = proof;
        this.work = work;
        this.clock = clock;
    }

    /** Where requests for the version of an APIService go; empty while it is not available. */
    Optional<ClusterEntry.Attached> served(String uid) {
        ServiceBackend backend = backends.get(uid);
        return backend == null ? Optional.empty() : backend.served();
    }

    /** Whether an APIService that names a service is available; empty if there is none of the name. */
    Optional<Finding> finding(String name) {
        return services.all().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .map(service -> {
                    ServiceBackend backend = backends.get(service.uid());
                    return backend == null ? Finding.unknown("Pending", "it is not looked at yet") : backend.finding();
                });
    }

    /** Looks at all of them, unless that goes on already. */
    void begin() {
        if (!isLooking.compareAndSet(false, true)) {
            return;
        }
        isDue = false;
        try {
            work.begin(cluster, () -> {
                try {
                    look();
                } finally {
                    ended();
                }
            });
        } catch (RejectedExecutionException tooMany) {
            isDue = true;
            ended();
        } catch (RuntimeException | Error failure) {
            ended();
            throw failure;
        }
    }

    /** Whether a check has ended since the last look began. */
    boolean isDue() {
        return isDue;
    }

    /** If all was closed meanwhile, nothing begins any more. */
    private void ended() {
        isLooking.set(false);
        if (isClosed && isLooking.compareAndSet(false, true)) {
            closeAll();
        }
    }

    private void look() throws InterruptedException {
        List<ApiService> all = services.all();
        if (proof.isEmpty()) {
            for (ApiService service : all) {
                tell(service, NOT_ALLOWED);
            }
            return;
        }
        Set<String> wanted = new HashSet<>();
        all.stream().limit(ApiServices.MAX).forEach(service -> wanted.add(service.uid()));
        backends.forEach((uid, backend) -> {
            if (!wanted.contains(uid)) {
                backends.remove(uid);
                backend.close();
            }
        });
        Map<String, AggregatedVersion> shown = new HashMap<>();
        for (ApiService service : all) {
            if (wanted.contains(service.uid())) {
                ServiceBackend backend = backends.computeIfAbsent(
                        service.uid(), _ -> new ServiceBackend(cluster, service, client, proof.get(), this));
                backend.look(service, calls);
                shown.put(service.uid(), backend.shown());
            }
        }
        services.show(shown); // before a condition says that it is available
        for (ApiService service : all) {
            ServiceBackend backend = backends.get(service.uid());
            tell(service, backend == null ? TOO_MANY : backend.finding());
        }
        told.keySet().retainAll(all.stream().map(ApiService::uid).collect(Collectors.toSet()));
    }

    /** Nothing is said before something is found. */
    private void tell(ApiService service, Finding finding) throws InterruptedException {
        Told now = new Told(finding, service.revision());
        if (finding.reason().equals("Pending") || now.equals(told.get(service.uid()))) {
            return;
        }
        try {
            ObjectNode object = (ObjectNode) Json.read(calls.read(OBJECTS + service.name(), OBJECT_BYTES_MAX));
            boolean isOther = !object.at("/metadata/uid").asString("").equals(service.uid());
            if (isOther) {
                return;
            }
            JsonNode status = object.path("status");
            if (!Condition.stored(status, AVAILABLE).filter(finding::equals).isPresent()) {
                object.withObjectProperty("status").set("conditions", conditions(status, finding));
                calls.replace(OBJECTS + service.name() + "/status", object);
            } else {
                told.put(service.uid(), now);
            }
        } catch (CallFailure changedMeanwhile) {
            // The next look reads it again.
        }
    }

    /** Those of others stay (kube-aggregator {@code SetAPIServiceCondition}). */
    private ArrayNode conditions(JsonNode status, Finding finding) {
        ArrayNode conditions = Json.array();
        status.path("conditions").forEach(each -> {
            if (!each.path("type").asString("").equals(AVAILABLE)) {
                conditions.add(each);
            }
        });
        return conditions.add(new Condition(AVAILABLE, finding).written(status, clock.instant()));
    }

    @Override
    public void run(ClusterBackends.Task check) {
        if (!checks.tryAcquire()) {
            throw new RejectedExecutionException("as many checks of the cluster run as may");
        }
        try {
            work.begin(cluster, () -> {
                try {
                    check.run();
                } finally {
                    checks.release();
                    isDue = true;
                    work.wake();
                }
            });
        } catch (RejectedExecutionException tooMany) {
            checks.release();
            throw tooMany;
        }
    }

    @Override
    public long nanoTime() {
        return work.nanoTime();
    }

    /** At once, or when the look that goes on has ended. */
    @Override
    public void close() {
        isClosed = true;
        if (isLooking.compareAndSet(false, true)) {
            closeAll();
        }
    }

    private void closeAll() {
        backends.values().forEach(ServiceBackend::close);
        backends.clear();
    }
}
