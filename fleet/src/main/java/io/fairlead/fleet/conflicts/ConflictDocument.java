package io.fairlead.fleet.conflicts;

import io.fairlead.index.conflicts.Standing;
import io.fairlead.index.conflicts.Standing.Conflict;
import io.fairlead.index.conflicts.Standing.Peer;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conflicts in a status, sorted by key. Of many conflicts and of many peers the first are named, and all are counted.
 *
 * <pre>
 * conflictsTotal: 1
 * conflicts:
 * - key: cluster-identity/0f6c…
 *   kind: cluster-identity
 *   cause: ClusterIdentityConflict
 *   since: "2026-11-24T12:00:00Z"
 *   peersTotal: 1
 *   peers:
 *   - {name: prod-1, uid: 1c9e…, role: Incumbent}
 * </pre>
 */
public final class ConflictDocument {
    private static final String CONFLICTS = "conflicts";
    private static final int NAMED_MAX = 32;

    private ConflictDocument() {}

    static void write(ObjectNode status, Standing standing, Map<String, Instant> since) {
        List<Conflict> conflicts = standing.conflicts();
        if (conflicts.isEmpty()) {
            return;
        }
        status.put("conflictsTotal", conflicts.size());
        ArrayNode named = status.putArray(CONFLICTS);
        conflicts.stream().limit(NAMED_MAX).forEach(conflict -> named.add(node(conflict, since)));
    }

    private static ObjectNode node(Conflict conflict, Map<String, Instant> since) {
        String key = conflict.key().toString();
        ObjectNode node = Json.object();
        node.put("key", key);
        node.put("kind", conflict.key().kind());
        node.put("cause", IdentityVerdict.CONFLICT);
        Instant began = since.get(key);
        if (began != null) {
            node.put("since", began.toString());
        }
        node.put("peersTotal", conflict.peers().size());
        ArrayNode peers = node.putArray("peers");
        conflict.peers().stream().limit(NAMED_MAX).forEach(peer -> peers.add(node(peer)));
        return node;
    }

    private static ObjectNode node(Peer peer) {
        ObjectNode node = Json.object();
        node.put("name", peer.name());
        node.put("uid", peer.uid());
        node.put("role", spelled(peer.role()));
        return node;
    }

    /** A role as it is written: {@code Incumbent} or {@code Challenger}. */
    public static String spelled(Standing.Role role) {
        return switch (role) {
            case INCUMBENT -> "Incumbent";
            case CHALLENGER -> "Challenger";
        };
    }

    /** Since when each conflict of a status is, by key; what cannot be read is left out. */
    static Map<String, Instant> since(JsonNode status) {
        Map<String, Instant> since = new TreeMap<>();
        for (JsonNode conflict : status.path(CONFLICTS).values()) {
            try {
                since.put(
                        conflict.path("key").asString(""),
                        Instant.parse(conflict.path("since").asString("")));
            } catch (DateTimeParseException unreadable) {
                // It counts as new then.
            }
        }
        return since;
    }
}
