package io.fairlead.fleet.root;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/**
 * An Event of the root cluster about a {@code Cluster} (core {@code v1} Event).
 *
 * @param cluster the object
 * @param id distinguishes it from others about the cluster, and is the same if it is written again
 * @param type {@code Warning} or {@code Normal}
 * @param reason the machine-readable reason
 * @param message for people
 * @param time when it happened
 */
public record ClusterEvent(ObjectNode cluster, String id, String type, String reason, String message, Instant time) {
    /** The namespace of events about cluster-scoped objects, as in Kubernetes. */
    private static final String NAMESPACE = "default";

    /**
     * A warning.
     *
     * @param suffix distinguishes it from others about the cluster of the same moment
     */
    public ClusterEvent(ObjectNode cluster, String suffix, String reason, String message, Instant time) {
        this(cluster, id(time, suffix), "Warning", reason, message, time);
    }

    /** Of an event of a moment. */
    public static String id(Instant time, String suffix) {
        return Long.toHexString(time.toEpochMilli()) + "." + suffix;
    }

    /** Writes it, unless it is written already. Blocks. */
    public void write(RootApi api) {
        api.createIfAbsent(RootApi.EVENTS, NAMESPACE, object());
    }

    private ObjectNode object() {
        String name = cluster.at("/metadata/name").asString("");
        String seen = time.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event = Json.object();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name + "." + id).put("namespace", NAMESPACE);
        event.putObject("involvedObject")
                .put("apiVersion", "fairlead.io/v1alpha1")
                .put("kind", "Cluster")
                .put("name", name)
                .put("uid", cluster.at("/metadata/uid").asString(""));
        event.put("reason", reason).put("type", type).put("count", 1);
        event.put("message", message);
        event.put("firstTimestamp", seen).put("lastTimestamp", seen);
        event.putObject("source").put("component", "fairlead");
        return event;
    }
}
