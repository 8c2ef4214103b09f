package io.fairlead.fleet.root;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/**
 * An Event of the root cluster about a {@code Cluster} (core {@code v1} Event), of type {@code Warning}.
 *
 * @param cluster the object
 * @param suffix distinguishes it from others about the cluster of the same moment
 * @param reason the machine-readable reason
 * @param message for people
 * @param time when it happened
 */
public record ClusterEvent(ObjectNode cluster, String suffix, String reason, String message, Instant time) {
    /** The namespace of events about cluster-scoped objects, as in Kubernetes. */
    private static final String NAMESPACE = "default";

    /** Writes it, unless it is written already. Blocks. */
    public void write(RootApi api) {
        api.createIfAbsent(RootApi.EVENTS, NAMESPACE, object());
    }

    private ObjectNode object() {
        String name = cluster.at("/metadata/name").asString("");
        String seen = time.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event = Json.object();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", name + "." + Long.toHexString(time.toEpochMilli()) + "." + suffix)
                .put("namespace", NAMESPACE);
        event.putObject("involvedObject")
                .put("apiVersion", "fairlead.io/v1alpha1")
                .put("kind", "Cluster")
                .put("name", name)
                .put("uid", cluster.at("/metadata/uid").asString(""));
        event.put("reason", reason).put("type", "Warning").put("count", 1);
        event.put("message", message);
        event.put("firstTimestamp", seen).put("lastTimestamp", seen);
        event.putObject("source").put("component", "fairlead");
        return event;
    }
}
