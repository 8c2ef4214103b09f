package io.fairlead.fleet.conflicts;

import io.fairlead.fleet.root.ClusterEvent;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootApi;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Events about a {@code Cluster} that comes into a conflict, or out of one, and about types of it that become
 * shadowed: one for each. Written before the status says so, and not a second time if that is tried again.
 */
public final class ConflictEvents {
    private ConflictEvents() {}

    /**
     * Writes those of a change of status. Blocks.
     *
     * @param cluster with the status until now
     */
    public static void tell(ObjectNode cluster, JsonNode after, Instant now, RootApi api) {
        Map<String, Instant> known = ConflictDocument.since(cluster.path("status"));
        Map<String, Instant> present = ConflictDocument.since(after);
        present.forEach((key, since) -> {
            if (!known.containsKey(key)) {
                new ClusterEvent(cluster, suffix("conflict", key), "ClaimConflict", conflict(after, key), since)
                        .write(api);
            }
        });
        known.forEach((key, since) -> {
            if (!present.containsKey(key)) {
                String id = ClusterEvent.id(since, suffix("resolved", key));
                String message = key + " is no longer in conflict for this registration";
                new ClusterEvent(cluster, id, "Normal", "ClaimConflictResolved", message, now).write(api);
            }
        });
        boolean isShadowed = Condition.holds(after, Condition.TYPES_SHADOWED);
        if (isShadowed && !Condition.holds(cluster.path("status"), Condition.TYPES_SHADOWED)) {
            JsonNode condition = Condition.in(after, Condition.TYPES_SHADOWED);
            new ClusterEvent(
                            cluster,
                            "shadowed",
                            "GroupVersionShadowed",
                            shortened(condition.path("message").asString("")),
                            time(condition.path("lastTransitionTime").asString(""), now))
                    .write(api);
        }
    }

    /** As the condition says it, which names who stays and what to do. */
    private static String conflict(JsonNode status, String key) {
        String message =
                Condition.in(status, Condition.CONFLICT).path("message").asString("");
        return shortened(message.isEmpty() ? key + " is claimed by other registrations too" : message);
    }

    /** Events' messages end at 1,024 characters. */
    private static String shortened(String message) {
        int most = 1_000;
        return message.length() <= most ? message : message.substring(0, most) + "…";
    }

    private static Instant time(String text, Instant otherwise) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            return otherwise;
        }
    }

    /** A key has characters that no name may have. */
    private static String suffix(String what, String key) {
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        return what + "-" + Long.toHexString(sum.getValue());
    }
}
