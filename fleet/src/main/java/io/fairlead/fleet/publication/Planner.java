package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.publication.PlannedCalls.Write;
import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says what a publication would do in its targets, by doing it: the same steps are looked at as for one that is stored, in targets
 * whose changes are dry runs.
 *
 * <p>Threads: any virtual one; calls block.
 *
 * @param peers what is published in each target
 * @param calls to the targets and to the source
 * @param patience for all targets together
 */
record Planner(
        RootApi api,
        TargetClusters clusters,
        Supplier<Map<ClusterName, Peers>> peers,
        String installation,
        HostedSource.Calls calls,
        OpenBackends backends,
        Probe probe,
        Duration patience) {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Whose plans are made; the others are counted alone. */
    private static final int TARGETS_MAX = 200;

    /** Targets that are looked at together. */
    private static final int TOGETHER_MAX = 4;

    /** More than are needed to get from one step to the next, for all of them. */
    private static final int LOOKS_MAX = 12;

    /** What would be done in a target. */
    private record Planned(Progress progress, List<Write> writes) {}

    /** The publication of a name as it is stored. */
    Optional<ObjectNode> stored(String name) {
        return api.get(PublicationKind.PUBLICATIONS, "", name);
    }

    /**
     * The status of a plan.
     *
     * @param object a valid publication; if one of its name is stored, its plan is that of the change
     */
    ObjectNode plan(ObjectNode object) throws InterruptedException {
        ObjectNode wanted = object.deepCopy();
        Optional<ObjectNode> stored = stored(object.at("/metadata/name").asString(""));
        stored.ifPresent(before -> wanted.set("metadata", before.path("metadata")));
        Publication publication = Publication.of(wanted, clusters.labels());
        NavigableSet<ClusterName> targets =
                PublicationStatus.clusters(stored.orElseGet(Json::object).path("status"));
        targets.addAll(clusters.of(publication));
        List<ClusterName> first = targets.stream().limit(TARGETS_MAX).toList();
        ObjectNode status = Json.object().put("targets", targets.size());
        ArrayNode all = status.putArray("clusters");
        List<Planned> planned = planned(publication, first);
        for (int i = 0; i < first.size(); i++) {
            all.add(described(first.get(i), planned.get(i)));
        }
        return status;
    }

    /** In the order of the targets. */
    private List<Planned> planned(Publication publication, List<ClusterName> targets) throws InterruptedException {
        Semaphore together = new Semaphore(TOGETHER_MAX);
        List<Callable<Planned>> all = new ArrayList<>();
        for (ClusterName target : targets) {
            all.add(() -> {
                together.acquire();
                try {
                    return planned(publication, target);
                } finally {
                    together.release();
                }
            });
        }
        List<Planned> planned = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Planned> each : threads.invokeAll(all, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                planned.add(outcome(each));
            }
        }
        return planned;
    }

    private Planned outcome(Future<Planned> planned) throws InterruptedException {
        try {
            return planned.get();
        } catch (CancellationException late) {
            return failed("Timeout", "it has not answered all that a plan asks within " + patience.toMillis() + " ms");
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a plan failed", failure.getCause());
        }
    }

    /** Looks until nothing more would be changed. */
    private Planned planned(Publication publication, ClusterName target) throws InterruptedException {
        PlannedCalls planned;
        try {
            planned = new PlannedCalls(calls.to(target));
        } catch (CallFailure unserved) {
            return failed(unserved.reason(), unserved.message());
        }
        TargetLooks looks = new TargetLooks(clusters, this::peers, installation, _ -> planned, this::source);
        boolean isWithdrawn = !clusters.isTarget(publication, target);
        Progress progress = looks.at(publication, isWithdrawn, target);
        int changes = 0;
        for (int look = 1; look < LOOKS_MAX && planned.writes().size() > changes; look++) {
            changes = planned.writes().size();
            progress = looks.at(publication, isWithdrawn, target);
        }
        return new Planned(progress, planned.writes());
    }

    private static Planned failed(String reason, String message) {
        return new Planned(
                new Progress.Builder()
                        .add(Step.CLAIMED, Observed.failed(reason, message))
                        .build(),
                List.of());
    }

    /** The publication as it would be, beside the others. */
    private Peers peers(ClusterName cluster, Publication publication) {
        Peers now = peers.get().getOrDefault(cluster, new Peers(cluster, List.of()));
        List<Peers.Peer> all = new ArrayList<>(now.all());
        all.removeIf(peer -> peer.publication().uid().equals(publication.uid()));
        all.add(new Peers.Peer(publication, now.isRegistered(publication)));
        return new Peers(cluster, all);
    }

    private Source source(Publication publication, ClusterName cluster) {
        return publication
                .source()
                .<Source>map(source -> new PlannedSource(
                        new HostedSource(cluster, source, calls, backends, probe), backends.caBundle()))
                .orElseGet(() -> new ExternalSource(probe));
    }

    /** Only the target can say whether what is registered is available, once it is. */
    private static ObjectNode described(ClusterName cluster, Planned planned) {
        ObjectNode node = Json.object().put("cluster", cluster.value());
        ArrayNode steps = node.putArray("steps");
        for (Step step : PublicationStatus.steps(planned.progress())) {
            if (step != Step.AVAILABLE) {
                ObjectNode described = steps.addObject()
                        .put("step", step.spelled())
                        .put("state", PublicationStatus.state(planned.progress(), step));
                planned.progress()
                        .of(step)
                        .filter(observed -> !observed.isDone())
                        .ifPresent(observed -> described
                                .put("reason", observed.reason())
                                .put("message", Visible.printable(observed.message())));
            }
        }
        ArrayNode writes = node.putArray("writes");
        for (Write write : planned.writes()) {
            ObjectNode described = writes.addObject().put("verb", write.verb()).put("resource", write.resource());
            if (!write.namespace().isEmpty()) {
                described.put("namespace", write.namespace());
            }
            described.put("name", write.name());
        }
        return node;
    }
}
