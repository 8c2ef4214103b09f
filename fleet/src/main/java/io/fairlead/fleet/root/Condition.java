package io.fairlead.fleet.root;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.model.TransitionTime;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    public static final String AVAILABLE = "Available";
    public static final String API_SERVICES_AVAILABLE = "APIServicesAvailable";
    public static final String REACHABLE = "Reachable";
    public static final String TYPES_SYNCED = "TypesSynced";
    public static final String HISTORY_CONSISTENT = "HistoryConsistent";
    public static final String IDENTITY_VERIFIED = "IdentityVerified";
    public static final String CONFLICT = "Conflict";
    public static final String TYPES_SHADOWED = "TypesShadowed";
    public static final String CRD_RUNTIME_REACHABLE = "CRDRuntimeReachable";
    public static final String TYPES_CONSISTENT = "TypesConsistent";
    public static final String TOKEN_RENEWED = "TokenRenewed";
    public static final String SATISFIED = "Satisfied";
    public static final String STALE = "Stale";

    /**
     * Conditions for a status: each keeps its {@code lastTransitionTime} while its status stays. Quoted text in
     * messages is escaped for terminals.
     *
     * @param before the status until now
     */
    public static ArrayNode merge(JsonNode before, List<Condition> conditions, long generation, Instant now) {
        ArrayNode merged = Json.array();
        for (Condition condition : conditions) {
            merged.add(condition.written(before, now).put("observedGeneration", generation));
        }
        return merged;
    }

    /** The same for one, of a kind whose conditions have no {@code observedGeneration}. */
    public ObjectNode written(JsonNode before, Instant now) {
        return Json.object()
                .put("type", type)
                .put("status", status())
                .put("lastTransitionTime", transition(before, this, now))
                .put("reason", finding.reason())
                .put("message", Visible.printable(finding.message()));
    }

    /**
     * Since when something else of a status is as it is, by the rules of {@code lastTransitionTime}.
     *
     * @param stored the time in the status until now; empty if there is none
     */
    public static String since(String stored, boolean isTransition, Instant now) {
        return TransitionTime.next(stored, isTransition, now);
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

    /** What the conditions of a status say of a type; empty if there is no such condition. */
    public static Optional<Finding> stored(JsonNode status, String type) {
        JsonNode condition = in(status, type);
        return condition.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(
                        status(condition.path("status").asString("")),
                        condition.path("reason").asString(""),
                        condition.path("message").asString("")));
    }

    /** A status as conditions spell it: {@code True}, {@code False} or {@code Unknown}. */
    public static String spelled(Finding.Status status) {
        return switch (status) {
            case TRUE -> "True";
            case FALSE -> "False";
            case UNKNOWN -> "Unknown";
        };
    }

    /** The status that a condition spells so; unknown if it is none. */
    public static Finding.Status status(String spelled) {
        return switch (spelled) {
            case "True" -> Finding.Status.TRUE;
            case "False" -> Finding.Status.FALSE;
            default -> Finding.Status.UNKNOWN;
        };
    }

    private static String transition(JsonNode before, Condition condition, Instant now) {
        JsonNode known = in(before, condition.type());
        boolean isTransition = !known.path("status").asString("").equals(condition.status());
        return TransitionTime.next(known.path("lastTransitionTime").asString(""), isTransition, now);
    }

    private String status() {
        return spelled(finding.status());
    }
}
