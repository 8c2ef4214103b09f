package io.fairlead.fleet.publication;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.fleet.root.Condition;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of an {@code APIPublication}: the steps in each target, and what they come to in all of them. */
final class PublicationStatus {
    private static final String ACCEPTED = "Accepted";
    private static final String BACKEND_READY = "BackendReady";
    private static final String REGISTERED = "Registered";
    private static final String AVAILABLE = "Available";

    private static final List<Step> PUBLISHED =
            List.of(Step.CLAIMED, Step.SERVICE, Step.ENDPOINTS, Step.PROBE, Step.REGISTERED, Step.AVAILABLE);
    private static final List<Step> WITHDRAWN = List.of(Step.WITHDRAWN);

    private static final String WAITING = "Waiting";
    private static final String DONE = "Done";
    private static final String FAILED = "Failed";

    /** In which a step can be. */
    static final List<String> STATES = List.of(WAITING, DONE, FAILED);

    private PublicationStatus() {}

    /**
     * A status.
     *
     * @param object the publication as it was read
     * @param targets what was observed last in each; a target that was not looked at yet has no steps
     */
    static ObjectNode of(JsonNode object, SortedMap<ClusterName, Progress> targets, Instant now) {
        JsonNode before = object.path("status");
        long generation = object.at("/metadata/generation").asLong(0);
        ObjectNode status = Json.object();
        status.set("conditions", Condition.merge(before, conditions(targets), generation, now));
        status.put("targets", targets.size());
        ArrayNode clusters = status.putArray("clusters");
        targets.forEach((cluster, progress) -> {
            ObjectNode node = clusters.addObject().put("cluster", cluster.value());
            JsonNode known = inCluster(before, cluster);
            node.put(
                    "registered",
                    progress.registered().orElse(known.path("registered").asBoolean(false)));
            ArrayNode steps = node.putArray("steps");
            for (Step step : steps(progress)) {
                steps.add(step(step, progress, known, now));
            }
        });
        return status;
    }

    /** Those that a target goes through, or has gone through. */
    static List<Step> steps(Progress progress) {
        return progress.of(Step.WITHDRAWN).isPresent() ? WITHDRAWN : PUBLISHED;
    }

    /** How far a step is, in one word. */
    static String state(Progress progress, Step step) {
        Optional<Observed> observed = progress.of(step);
        return observed.isEmpty() ? WAITING : observed.get().isDone() ? DONE : FAILED;
    }

    /** The clusters in which something of a publication may be, by its status. */
    static NavigableSet<ClusterName> clusters(JsonNode status) {
        NavigableSet<ClusterName> clusters = new TreeSet<>();
        for (JsonNode cluster : status.path("clusters").values()) {
            String name = cluster.path("cluster").asString("");
            if (ClusterName.isValid(name)) {
                clusters.add(new ClusterName(name));
            }
        }
        return clusters;
    }

    /** Whether a status says that APIServices are stored in a cluster. */
    static boolean isRegistered(JsonNode status, ClusterName cluster) {
        return inCluster(status, cluster).path("registered").asBoolean(false);
    }

    private static JsonNode inCluster(JsonNode status, ClusterName cluster) {
        return status.path("clusters").values().stream()
                .filter(node -> node.path("cluster").asString("").equals(cluster.value()))
                .findFirst()
                .orElseGet(Json::object);
    }

    private static JsonNode state(JsonNode cluster, Step step) {
        return cluster.path("steps").values().stream()
                .filter(node -> node.path("step").asString("").equals(step.spelled()))
                .findFirst()
                .orElseGet(Json::object);
    }

    private static ObjectNode step(Step step, Progress progress, JsonNode cluster, Instant now) {
        Optional<Observed> observed = progress.of(step);
        String state = state(progress, step);
        JsonNode known = state(cluster, step);
        boolean isTransition = !known.path("state").asString("").equals(state);
        ObjectNode node = Json.object()
                .put("step", step.spelled())
                .put("state", state)
                .put("since", Condition.since(known.path("since").asString(""), isTransition, now));
        observed.ifPresent(seen -> {
            put(node, "reason", seen.reason());
            put(node, "message", Visible.printable(seen.message()));
            put(node, "observedResourceVersion", seen.resourceVersion());
        });
        return node;
    }

    private static void put(ObjectNode node, String field, String text) {
        if (!text.isEmpty()) {
            node.put(field, text);
        }
    }

    private static List<Condition> conditions(Map<ClusterName, Progress> targets) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(new Condition(ACCEPTED, all(targets, List.of(Step.CLAIMED), "Accepted")));
        conditions.add(new Condition(
                BACKEND_READY, all(targets, List.of(Step.SERVICE, Step.ENDPOINTS, Step.PROBE), "BackendReady")));
        conditions.add(new Condition(REGISTERED, all(targets, List.of(Step.REGISTERED), "Registered")));
        conditions.add(new Condition(AVAILABLE, all(targets, List.of(Step.AVAILABLE), "Passed")));
        conditions.add(new Condition(Condition.CONFLICT, conflict(targets)));
        return conditions;
    }

    /** Whether steps are done in every target; the first one in which they are not is named. */
    private static Finding all(Map<ClusterName, Progress> targets, List<Step> steps, String reason) {
        if (targets.isEmpty()) {
            return Finding.no("NoTarget", "spec.target selects no registered attached cluster");
        }
        for (Map.Entry<ClusterName, Progress> target : targets.entrySet()) {
            Progress progress = target.getValue();
            for (Step step : steps) {
                if (!progress.isDone(step)) {
                    return missing(target.getKey(), progress, step);
                }
            }
        }
        return Finding.yes(reason, "in " + targets.size() + " of " + targets.size() + " targets");
    }

    private static Finding missing(ClusterName cluster, Progress progress, Step step) {
        Optional<Observed> observed = progress.of(step).or(progress::problem);
        if (observed.isEmpty()) {
            return Finding.unknown("NotObserved", cluster + ": it was not looked at yet");
        }
        Observed why = observed.get();
        return why.isDone()
                ? Finding.no("Withdrawn", cluster + ": it is withdrawn")
                : Finding.no(why.reason(), cluster + ": " + why.message());
    }

    private static Finding conflict(Map<ClusterName, Progress> targets) {
        Predicate<Observed> isConflict = observed -> Conflicts.has(observed.reason());
        for (Map.Entry<ClusterName, Progress> target : targets.entrySet()) {
            Optional<Observed> problem = target.getValue().problem().filter(isConflict);
            if (problem.isPresent()) {
                return Finding.yes(
                        problem.get().reason(),
                        target.getKey() + ": " + problem.get().message());
            }
        }
        return targets.values().stream().allMatch(progress -> progress.isDone(Step.CLAIMED))
                ? Finding.no("NoConflict", "nothing else claims the group, its versions or the backend")
                : Finding.unknown("NotObserved", "not all targets were looked at");
    }
}
