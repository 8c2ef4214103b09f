package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.json.Json;
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

    private Approvals() {}

    /** Takes from the stored request what a subresource must not change. */
    static void keep(String subresource, ObjectNode changed, ObjectNode stored) {
        boolean approves = subresource.equals("approval");
        ArrayNode conditions = Json.array();
        for (JsonNode condition : (approves ? changed : stored).at("/status/conditions")) {
            if (isApproval(condition)) {
                conditions.add(condition.deepCopy());
            }
        }
        for (JsonNode condition : (approves ? stored : changed).at("/status/conditions")) {
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

    private static boolean isApproval(JsonNode condition) {
        return APPROVALS.contains(condition.path("type").asString(""));
    }
}
