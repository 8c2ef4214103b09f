package io.fairlead.gateway.fleet;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One statement about a cluster (API conventions, "Typical status properties").
 *
 * @param type what it is about
 * @param status whether it holds
 * @param reason a word for programs that says why
 * @param message why, for people; names what is wrong and carries no credential
 */
public record Condition(String type, State status, String reason, String message) {
    public static final String READY = "Ready";
    public static final String REACHABLE = "Reachable";
    public static final String TYPES_SYNCED = "TypesSynced";

    /** Whether a condition holds. */
    public enum State {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** As it stands in the object. */
        public String text() {
            return text;
        }
    }

    public static Condition yes(String type, String reason, String message) {
        return new Condition(type, State.TRUE, reason, message);
    }

    public static Condition no(String type, String reason, String message) {
        return new Condition(type, State.FALSE, reason, message);
    }

    public static Condition unknown(String type, String reason, String message) {
        return new Condition(type, State.UNKNOWN, reason, message);
    }

    public boolean holds() {
        return status == State.TRUE;
    }

    /** Conditions as they go into a status: each keeps its {@code lastTransitionTime} while its status stays. */
    static ArrayNode merge(JsonNode before, List<Condition> conditions, long generation, Instant now) {
        ArrayNode merged = Json.array();
        for (Condition condition : conditions) {
            ObjectNode node = Json.object();
            node.put("type", condition.type());
            node.put("status", condition.status().text());
            node.put("observedGeneration", generation);
            node.put("lastTransitionTime", transition(before, condition, now));
            node.put("reason", condition.reason());
            node.put("message", condition.message());
            merged.add(node);
        }
        return merged;
    }

    private static String transition(JsonNode before, Condition condition, Instant now) {
        for (JsonNode known : before.values()) {
            if (known.path("type").asString("").equals(condition.type())
                    && known.path("status")
                            .asString("")
                            .equals(condition.status().text())) {
                return known.path("lastTransitionTime").asString("");
            }
        }
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
