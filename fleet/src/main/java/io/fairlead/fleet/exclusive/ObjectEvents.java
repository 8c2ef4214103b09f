package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Events about objects that come into a conflict, or out of one (core {@code v1} Event), in their own cluster. One of
 * the same transition has the same name, so that it is written once, also over a restart.
 */
final class ObjectEvents {
    private static final String BEGAN = "ClaimConflict";
    private static final String ENDED = "ClaimConflictResolved";

    /** The namespace of events about objects without one, as in Kubernetes. */
    private static final String NO_NAMESPACE = "default";

    private static final int NAME_CHARS_MAX = 200;

    private final RuleSpec spec;

    ObjectEvents(RuleSpec spec) {
        this.spec = spec;
    }

    void began(ObjectKey object, ObjectConflict conflict, String kind, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        write(object, conflict, kind, "Warning", BEGAN, ConflictText.of(spec, conflict), calls);
    }

    void ended(ObjectKey object, ObjectConflict conflict, String kind, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        String message = ConflictText.key(spec, conflict.conflict()) + " is no longer in conflict for this object";
        write(object, conflict, kind, "Normal", ENDED, message, calls);
    }

    private void write(
            ObjectKey object,
            ObjectConflict conflict,
            String kind,
            String type,
            String reason,
            String message,
            ClusterCalls calls)
            throws CallFailure, InterruptedException {
        String namespace = object.namespace().isEmpty() ? NO_NAMESPACE : object.namespace();
        if (!Names.dns1123Label(namespace).isEmpty()) {
            return; // The server of an attached cluster names it, and another path is not for it to choose.
        }
        String time = conflict.conflict().since().toString();
        ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name(object, conflict, reason)).put("namespace", namespace);
        ObjectNode involved = event.putObject("involvedObject")
                .put("apiVersion", spec.resource().groupVersion().apiVersion())
                .put("kind", kind)
                .put("name", object.name())
                .put("uid", conflict.claim().holder().uid());
        if (!object.namespace().isEmpty()) {
            involved.put("namespace", namespace);
        }
        event.put("reason", reason).put("type", type).put("count", 1).put("message", message);
        event.put("firstTimestamp", time).put("lastTimestamp", time);
        event.putObject("source").put("component", "fairlead");
        calls.post("/api/v1/namespaces/" + namespace + "/events", event);
    }

    private String name(ObjectKey object, ObjectConflict conflict, String reason) {
        CRC32 sum = new CRC32();
        sum.update((spec.uid() + conflict.conflict().key() + reason).getBytes(StandardCharsets.UTF_8));
        String name = object.name();
        return name.substring(0, Math.min(name.length(), NAME_CHARS_MAX)) + "." + Long.toHexString(sum.getValue())
                + Long.toHexString(conflict.conflict().since().getEpochSecond());
    }
}
