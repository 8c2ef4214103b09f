package io.fairlead.gateway.fleet;

import io.fairlead.gateway.fleet.TypeConsistency.Drift;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Events of the root cluster that tell of a type that changed away from the others (core {@code v1} Event). Blocks. */
final class DriftEvents {
    private static final String REASON = "TypeDrift";

    /** Where events about objects without a namespace are, as Kubernetes has it. */
    private static final String NAMESPACE = "default";

    private final RootApi api;

    DriftEvents(RootApi api) {
        this.api = api;
    }

    /**
     * Writes one.
     *
     * @param verdict what the new type is to objects of the old one, in a word
     */
    void tell(Drift drift, String verdict, Instant now) {
        Optional<ObjectNode> cluster =
                api.get(RootApi.CLUSTERS, "", drift.cluster().value());
        if (cluster.isPresent()) {
            api.createIfAbsent(RootApi.EVENTS, NAMESPACE, event(drift, verdict, cluster.get(), now));
        }
    }

    private static ObjectNode event(Drift drift, String verdict, ObjectNode cluster, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event = Json.object();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", drift.cluster() + "." + Long.toHexString(now.toEpochMilli()) + "." + suffix(drift))
                .put("namespace", NAMESPACE);
        event.putObject("involvedObject")
                .put("apiVersion", "fairlead.io/v1alpha1")
                .put("kind", "Cluster")
                .put("name", drift.cluster().value())
                .put("uid", cluster.at("/metadata/uid").asString(""));
        event.put("reason", REASON).put("type", "Warning").put("count", 1);
        event.put("message", drift.type() + " was " + drift.old() + ", is " + drift.now() + ": " + verdict);
        event.put("firstTimestamp", time).put("lastTimestamp", time);
        event.putObject("source").put("component", "fairlead");
        return event;
    }

    /** Tells the events of one moment apart. */
    private static String suffix(Drift drift) {
        String digest = drift.now().text();
        return digest.substring(digest.length() - 8)
                + Integer.toHexString(drift.type().hashCode());
    }
}
