package io.fairlead.fleet.conditions;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionStore.Added;
import io.fairlead.model.Repetitions;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events about objects whose conditions travelled (core {@code v1} Event), in their own cluster; at most one a minute for
 * an object. Where none may be written, the record and the metric have it all the same.
 *
 * <p>Threads: those of observations, which block.
 */
final class TravelEvents {
    private static final Logger LOG = LoggerFactory.getLogger(TravelEvents.class);
    private static final String REASON = "ConditionTravelled";

    /** The namespace of events about objects without one, as in Kubernetes. */
    private static final String NO_NAMESPACE = "default";

    private final Repetitions told = new Repetitions();
    private final Repetitions failures = new Repetitions();

    /**
     * A transition travelled.
     *
     * @param apiVersion of the object
     */
    void travelled(Added added, String apiVersion, String kind, ClusterCalls calls) throws InterruptedException {
        String namespace = namespace(added);
        if (!Names.dns1123Label(namespace).isEmpty()
                || told.next(added.object()).isEmpty()) {
            return; // What names a namespace may be a server of the cluster's users, and another path is not for them
            // to choose.
        }
        ObjectNode event = event(added, apiVersion, kind);
        try {
            calls.post("/api/v1/namespaces/" + namespace + "/events", event);
        } catch (CallFailure failure) {
            failures.next(added.object().cluster())
                    .ifPresent(leftOut -> LOG.atInfo()
                            .addKeyValue("cluster", added.object().cluster())
                            .addKeyValue("object", added.object().path())
                            .addKeyValue("reason", failure.reason())
                            .addKeyValue("problem", failure.message())
                            .addKeyValue("leftOut", leftOut)
                            .log("The event of a condition that travelled cannot be written"));
        }
    }

    private static String namespace(Added added) {
        String own = added.object().namespace();
        return own.isEmpty() ? NO_NAMESPACE : own;
    }

    private static ObjectNode event(Added added, String apiVersion, String kind) {
        Instant observed = added.row().observed();
        String time = observed.truncatedTo(ChronoUnit.SECONDS).toString();
        String own = added.object().namespace();
        ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", added.object().name() + "." + Long.toHexString(observed.toEpochMilli()))
                .put("namespace", namespace(added));
        ObjectNode involved = event.putObject("involvedObject")
                .put("apiVersion", apiVersion)
                .put("kind", kind)
                .put("name", added.object().name())
                .put("uid", added.uid());
        if (!own.isEmpty()) {
            involved.put("namespace", own);
        }
        ConditionClaim claim = added.row().claim();
        event.put("reason", REASON).put("type", "Warning").put("count", 1);
        event.put(
                "message",
                "condition " + added.condition() + " became " + claim.status() + ", observed at " + observed
                        + ", and states " + claim.stated() + ", which is not later than times that it stated before"
                        + (claim.manager().isEmpty() ? "" : "; " + claim.manager() + " wrote it"));
        event.put("firstTimestamp", time).put("lastTimestamp", time);
        event.putObject("source").put("component", "fairlead");
        return event;
    }
}
