package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who may say what of a certificate signing request (kubernetes {@code registry/certificates/certificates}): that it is approved or
 * denied only the subresource {@code approval}, all else of the status only {@code status}.
 */
final class Approvals {
    private static final Set<String> APPROVALS = Set.of("Approved", "Denied");
    /** Conditions that are decisions: they are there, or not, and stay. */
    private static final List<String> DECISIONS = List.of("Approved", "Denied", "Failed");

    private static final FieldPath PATH = FieldPath.of("status", "conditions");

    private Approvals() {}

    /** Takes from the stored request what a subresource must not change. */
    static void keep(String subresource, ObjectNode changed, ObjectNode stored) {
        boolean approves = subresource.equals("approval");
        ArrayNode conditions = Json.array();
        for (JsonNode condition : (approves ? changed : stored).at("/status/conditions")) {
            if (approves || isApproval(condition)) {
                conditions.add(condition.deepCopy());
            }
        }
        for (JsonNode condition : (approves ? Json.object() : changed).at("/status/conditions")) {
            if (!isApproval(condition)) {
                conditions.add(condition.deepCopy());
            }
        }
        if (approves) {
            changed.set(
                    "status",
                    stored.path("status").isObject() ? stored.path("status").deepCopy() : Json.object());
        }
        ObjectNode status = changed.withObjectProperty("status");
        if (conditions.isEmpty()) {
            status.remove("conditions");
        } else {
            status.set("conditions", conditions);
        }
    }

    /** What a write leaves as it was is not refused for what it had ({@code validateConditions}). */
    static void check(JsonNode conditions, JsonNode before, FieldErrors errors) {
        List<String> types = types(conditions);
        List<String> typesBefore = types(before);
        Set<String> known = new HashSet<>(typesBefore);
        boolean wasRepeated = known.size() < typesBefore.size();
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode condition : conditions) {
            String type = condition.path("type").asString("");
            FieldPath at = PATH.index(index++);
            if (type.isEmpty() && !known.contains("")) {
                errors.required(at.child("type"), "");
            }
            status(type, condition.path("status"), at.child("status"), errors);
            boolean isRepeated = !seen.add(type);
            if (isApproval(condition) && seen.containsAll(APPROVALS) && !known.containsAll(APPROVALS)) {
                errors.invalid(PATH, type, "Approved and Denied conditions are mutually exclusive");
            }
            if (isRepeated && !wasRepeated) {
                errors.duplicate(at.child("type"), type);
            }
        }
        for (String type : DECISIONS) {
            if (Collections.frequency(types, type) < Collections.frequency(typesBefore, type)) {
                errors.forbidden(PATH, "updates may not remove a condition of type " + GoText.quote(type));
            }
        }
    }

    private static void status(String type, JsonNode status, FieldPath path, FieldErrors errors) {
        List<String> possible = DECISIONS.contains(type) ? List.of("True") : List.of("False", "True", "Unknown");
        String text = status.asString("");
        if (text.isEmpty()) {
            errors.required(path, "");
        } else if (!possible.contains(text)) {
            errors.notSupported(path, status, possible);
        }
    }

    private static List<String> types(JsonNode conditions) {
        return conditions
                .valueStream()
                .map(condition -> condition.path("type").asString(""))
                .toList();
    }

    private static boolean isApproval(JsonNode condition) {
        return APPROVALS.contains(condition.path("type").asString(""));
    }
}
