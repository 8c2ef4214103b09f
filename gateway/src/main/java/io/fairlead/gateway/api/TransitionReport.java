package io.fairlead.gateway.api;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.Transition;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** When a cluster was Ready, as Fairlead observed it, and which of its histories is known. */
final class TransitionReport {
    private static final String HISTORY_CONSISTENT = "HistoryConsistent";

    private final FleetIndex index;
    private final InstantSource clock;

    TransitionReport(FleetIndex index, InstantSource clock) {
        this.index = index;
        this.clock = clock;
    }

    /**
     * All that is kept of a cluster, or its state at a time.
     *
     * @param cluster its {@code Cluster} object
     * @param transitions its transitions, oldest first
     * @param at the time of the question (RFC 3339); null for all
     */
    ObjectNode of(ObjectNode cluster, List<Transition> transitions, @Nullable String at) {
        ClusterName name = new ClusterName(cluster.path("metadata").path("name").asString(""));
        ObjectNode report = Json.object().put("cluster", name.value());
        if (at != null) {
            report.set("at", state(transitions, time(at)));
            return report;
        }
        report.put(
                "epoch", index.view(name).map(view -> view.evidence().epoch()).orElse(0L));
        putHistory(report, cluster.path("status"));
        ArrayNode all = report.putArray("transitions");
        transitions.forEach(transition ->
                putState(all.addObject().put("observed", transition.observed().toString()), transition));
        return report;
    }

    /** Only once something judges the order of the cluster's events. */
    private static void putHistory(ObjectNode report, JsonNode status) {
        Condition.stored(status, HISTORY_CONSISTENT)
                .ifPresent(found -> report.putObject("historyConsistent")
                        .put("status", Condition.spelled(found.status()))
                        .put("reason", found.reason())
                        .put("message", found.message()));
    }

    /**
     * The state that the last transition before a time began. Where the next one is a first sight, the end of the
     * state is not known: Fairlead was stopped before it.
     */
    private static ObjectNode state(List<Transition> transitions, Instant at) {
        ObjectNode state = Json.object().put("time", at.toString());
        Transition before = null;
        for (Transition transition : transitions) {
            if (transition.observed().isAfter(at)) {
                if (before != null) {
                    state.put("until", transition.observed().toString()).put("restarted", transition.isFirstSight());
                }
                break;
            }
            before = transition;
        }
        if (before == null) {
            return state.put("ready", Condition.spelled(Finding.Status.UNKNOWN)).put("reason", "NotObserved");
        }
        return putState(state.put("since", before.observed().toString()), before);
    }

    private static ObjectNode putState(ObjectNode state, Transition transition) {
        return state.put("ready", Condition.spelled(transition.ready()))
                .put("reason", transition.reason())
                .put("firstSight", transition.isFirstSight());
    }

    private Instant time(String text) {
        Instant time;
        try {
            time = Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new StatusException(Status.badRequest(
                    "query parameter \"at\": \"" + text + "\" (expected a time in RFC 3339, as 2026-01-02T03:14:00Z)"));
        }
        Instant now = clock.instant();
        if (time.isAfter(now)) {
            throw new StatusException(Status.badRequest("query parameter \"at\": \"" + text
                    + "\" is to come (expected a time that has passed; it is " + now + ")"));
        }
        return time;
    }
}
