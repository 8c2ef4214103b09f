package io.fairlead.fleet.root;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One condition of an object (API conventions, "Typical status properties").
 *
 * @param type its type
 * @param finding whether it is true, and why
 */
public record Condition(String type, Finding finding) {
    public static final String READY = "Ready";
    public static final String REACHABLE = "Reachable";
    public static final String TYPES_SYNCED = "TypesSynced";
    public static final String CRD_RUNTIME_REACHABLE = "CRDRuntimeReachable";
    public static final String TYPES_CONSISTENT = "TypesConsistent";
    public static final String TOKEN_RENEWED = "TokenRenewed";
    public static final String SATISFIED = "Satisfied";
    public static final String STALE = "Stale";

    /**
     * Conditions for a status: each keeps its {@code lastTransitionTime} while its status stays. Quoted text in
     * messages is escaped for terminals.
     */
    public static ArrayNode merge(JsonNode before, List<Condition> conditions, long generation, Instant now) {
        ArrayNode merged = Json.array();
        for (Condition condition : conditions) {
            ObjectNode node = Json.object();
            node.put("type", condition.type());
            node.put("status", condition.status());
            node.put("observedGeneration", generation);
            node.put("lastTransitionTime", transition(before, condition, now));
            node.put("reason", condition.finding().reason());
            node.put("message", Visible.printable(condition.finding().message()));
            merged.add(node);
        }
        return merged;
    }

    /** Whether a status has a condition that is true. */
    public static boolean holds(JsonNode status, String type) {
        return in(status, type).path("status").asString("").equals("True");
    }

    /** A status's condition of a type; an empty object if there is none. */
    public static JsonNode in(JsonNode status, String type) {
        return status.path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst()
                .orElseGet(Json::object);
    }

    private static String transition(JsonNode before, Condition condition, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        for (JsonNode known : before.values()) {
            if (known.path("type").asString("").equals(condition.type())) {
                String then = known.path("lastTransitionTime").asString("");
                boolean stays = known.path("status").asString("").equals(condition.status());
                return stays || isLater(then, now) ? then : time;
            }
        }
        return time;
    }

    /** If the clock was set back, a transition is still not older than the previous one. */
    private static boolean isLater(String time, Instant now) {
        try {
            return Instant.parse(time).isAfter(now);
        } catch (DateTimeParseException unreadable) {
            return false;
        }
    }

    private String status() {
        return switch (finding.status()) {
            case TRUE -> "True";
            case FALSE -> "False";
            case UNKNOWN -> "Unknown";
        };
    }
}
