package io.fairlead.fleet.publication;

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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * @param limits of time
 */
record Planner(
        RootApi api,
        TargetClusters clusters,
        Supplier<Map<ClusterName, Peers>> peers,
        String installation,
        HostedSource.Calls calls,
        OpenBackends backends,
        Probe probe,
        Limits limits) {
    /** Whose plans are made; the others are counted alone. */
    private static final int TARGETS_MAX = 200;

    /** Targets that are looked at together. */
    private static final int TOGETHER_MAX = 4;

    /** More than are needed to get from one step to the next, for all of them. */
    private static final int LOOKS_MAX = 12;

    /**
     * How long a plan waits.
     *
     * @param each for a target
     * @param all for all of them
     */
    record Limits(Duration each, Duration all) {
        static final Limits OF_A_REQUEST = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(20));
    }

    /** What would be done in a target. */
    private record Planned(Progress progress, List<Write> writes) {}

    /** The publication of a name as it is stored. */
    Optional<ObjectNode> stored(String name) {
        return name.isEmpty() ? Optional.empty() : api.get(PublicationKind.PUBLICATIONS, "", name);
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
        Publication publication = Publication.of(wanted, clusters.all());
        NavigableSet<ClusterName> targets =
                PublicationStatus.clusters(stored.orElseGet(Json::object).path("status"));
        targets.addAll(clusters.of(publication));
        ObjectNode status = Json.object().put("targets", targets.size());
        ArrayNode all = status.putArray("clusters");
        planned(publication, targets.stream().limit(TARGETS_MAX).toList())
                .forEach((cluster, planned) -> all.add(described(cluster, planned)));
        return status;
    }

    private SortedMap<ClusterName, Planned> planned(Publication publication, List<ClusterName> targets)
            throws InterruptedException {
        PlannedSource.Check check = new PlannedSource.Check(publication);
        Semaphore together = new Semaphore(TOGETHER_MAX);
        SortedMap<ClusterName, Planned> planned = new TreeMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Planned>> all = new ArrayList<>();
            for (ClusterName target : targets) {
                all.add(() -> {
                    together.acquire();
                    try {
                        return inTime(publication, target, threads.submit(() -> planned(publication, target, check)));
                    } finally {
                        together.release();
                    }
                });
            }
            List<Future<Planned>> outcomes = threads.invokeAll(all, limits.all().toMillis(), TimeUnit.MILLISECONDS);
            for (int i = 0; i < targets.size(); i++) {
                planned.put(targets.get(i), outcome(publication, targets.get(i), outcomes.get(i)));
            }
            threads.shutdownNow();
        }
        return planned;
    }

    /** What was planned in time; whatever a target answers, it is no failure of the plan of others. */
    private Planned inTime(Publication publication, ClusterName target, Future<Planned> planned)
            throws InterruptedException {
        try {
            return planned.get(limits.each().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return failed(
                    publication,
                    target,
                    "Timeout",
                    "it has not answered all that a plan asks within "
                            + limits.each().toMillis() + " ms");
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            return failed(
                    publication,
                    target,
                    "UnexpectedAnswer",
                    "what it answers cannot be worked on: " + failure.getCause());
        } finally {
            planned.cancel(true);
        }
    }

    private Planned outcome(Publication publication, ClusterName target, Future<Planned> planned)
            throws InterruptedException {
        try {
            return planned.get();
        } catch (CancellationException late) {
            return failed(
                    publication,
                    target,
                    "NotLookedAt",
                    "other targets took all the time of the plan, "
                            + limits.all().toMillis() + " ms");
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a plan failed", failure.getCause());
        }
    }

    /** Looks until nothing more would be changed. */
    private Planned planned(Publication publication, ClusterName target, PlannedSource.Check check)
            throws InterruptedException {
        List<PlannedCalls> opened = new ArrayList<>(1);
        TargetLooks looks = new TargetLooks(
                clusters,
                this::peers,
                installation,
                cluster -> {
                    if (opened.isEmpty()) {
                        opened.add(new PlannedCalls(calls.to(cluster)));
                    }
                    return opened.getFirst();
                },
                (wanted, cluster) -> source(wanted, cluster, check));
        boolean isWithdrawn = isWithdrawn(publication, target);
        Progress progress = Progress.NONE;
        int changes = -1;
        for (int look = 0; look < LOOKS_MAX && writes(opened).size() > changes; look++) {
            changes = writes(opened).size();
            progress = looks.at(publication, isWithdrawn, target);
        }
        return new Planned(progress, writes(opened));
    }

    private static List<Write> writes(List<PlannedCalls> opened) {
        return opened.isEmpty() ? List.of() : opened.getFirst().writes();
    }

    private boolean isWithdrawn(Publication publication, ClusterName target) {
        return !clusters.isTarget(publication, target);
    }

    private Planned failed(Publication publication, ClusterName target, String reason, String message) {
        Step first = isWithdrawn(publication, target) ? Step.WITHDRAWN : Step.CLAIMED;
        return new Planned(
                new Progress.Builder()
                        .add(first, Observed.failed(reason, message))
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

    private Source source(Publication publication, ClusterName cluster, PlannedSource.Check check) {
        return publication
                .source()
                .<Source>map(source -> new PlannedSource(
                        new HostedSource(cluster, source, calls, backends, probe), check, backends.caBundle()))
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
