package io.fairlead.hosted.meta;

import io.fairlead.model.TransitionTime;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conditions of a built-in kind's status, changed in place: those of other controllers stay, as they are and where they are
 * (apimachinery {@code meta.SetStatusCondition}).
 */
public final class Conditions {
    private final ArrayNode conditions;
    private final Instant now;

    public Conditions(ObjectNode object, Instant now) {
        JsonNode given = object.withObjectProperty("status").get("conditions");
        this.conditions = given instanceof ArrayNode array
                ? array
                : object.withObjectProperty("status").putArray("conditions");
        this.now = now;
    }

    public boolean isTrue(String type) {
        return find(type).path("status").asString("").equals("True");
    }

    /** Sets a condition; the time of its transition changes only with its status, and never goes back. */
    public void set(String type, boolean status, String reason, String message) {
        String text = status ? "True" : "False";
        ObjectNode condition = find(type) instanceof ObjectNode known
                ? known
                : conditions.addObject().put("type", type);
        String before = condition.path("lastTransitionTime").asString("");
        boolean isTransition = !condition.path("status").asString("").equals(text);
        condition.put("status", text).put("lastTransitionTime", TransitionTime.next(before, isTransition, now));
        condition.put("reason", reason).put("message", message);
    }

    private JsonNode find(String type) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals(type)) {
                return condition;
            }
        }
        return conditions.missingNode();
    }
}
