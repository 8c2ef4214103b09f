package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.zip.CRC32;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Events about objects that come into a conflict, or out of one (core {@code v1} Event), in their own cluster. One of
 * the same transition has the same name, so that it is written once, also over a restart.
 */
final class ObjectEvents {
    private static final String BEGAN = "ClaimConflict";
    private static final String ENDED = "ClaimConflictResolved";
    private static final String WITHDRAWN = "OutputsWithdrawn";
    private static final int NAMED_MAX = 8;

    /** The namespace of events about objects without one, as in Kubernetes. */
    private static final String NO_NAMESPACE = "default";

    private static final int NAME_CHARS_MAX = 200;

    private final RuleSpec spec;
    private final InstantSource clock;

    ObjectEvents(RuleSpec spec, InstantSource clock) {
        this.spec = spec;
        this.clock = clock;
    }

    void began(ObjectKey object, ObjectConflict conflict, String kind, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        String message = ConflictText.of(spec, conflict);
        write(object, conflict, conflict.conflict().since(), kind, "Warning", BEGAN, message, calls);
    }

    void ended(ObjectKey object, ObjectConflict conflict, String kind, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        String message = ConflictText.key(spec, conflict.conflict()) + " is no longer in conflict for this object";
        write(object, conflict, clock.instant(), kind, "Normal", ENDED, message, calls);
    }

    /** @param outputs that were deleted */
    void withdrawn(ObjectKey object, ObjectConflict conflict, List<String> outputs, String kind, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        int more = outputs.size() - NAMED_MAX;
        String named = String.join(", ", outputs.subList(0, Math.min(outputs.size(), NAMED_MAX)));
        String message = named + (more > 0 ? " and " + more + " more were" : outputs.size() == 1 ? " was" : " were")
                + " deleted, since this object lost " + ConflictText.key(spec, conflict.conflict());
        write(object, conflict, clock.instant(), kind, "Warning", WITHDRAWN, message, calls);
    }

    private void write(
            ObjectKey object,
            ObjectConflict conflict,
            Instant at,
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
        String time = at.truncatedTo(ChronoUnit.SECONDS).toString();
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
