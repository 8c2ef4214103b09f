package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who may say what of a certificate signing request (kubernetes {@code registry/certificates/certificates}): that it is approved or
 * denied only the subresource {@code approval}, all else of the status only {@code status}.
 */
final class Approvals {
    private static final String APPROVAL = "approval";
    private static final List<String> APPROVALS = List.of("Approved", "Denied");
    /** Conditions that are decisions: they are there, or not, and stay. */
    private static final List<String> DECISIONS = List.of("Approved", "Denied", "Failed");

    private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");
    private static final FieldPath CERTIFICATE = FieldPath.of("status", "certificate");

    private Approvals() {}

    /** Takes from the stored request what a subresource must not change ({@code PrepareForUpdate}). */
    static void keep(String subresource, ObjectNode changed, ObjectNode stored) {
        JsonNode conditions = changed.at("/status/conditions");
        if (subresource.equals(APPROVAL)) {
            changed.set(
                    "status",
                    stored.path("status").isObject() ? stored.path("status").deepCopy() : Json.object());
            set(conditions.valueStream().toList(), changed.withObjectProperty("status"));
        } else {
            List<JsonNode> kept = new ArrayList<>(conditions.valueStream().toList());
            APPROVALS.forEach(type -> keep(type, kept, stored.at("/status/conditions")));
            set(kept, changed.withObjectProperty("status"));
        }
    }

    /** Leaves the conditions of a type as they were; one more or one less remains, to be refused. */
    private static void keep(String type, List<JsonNode> conditions, JsonNode before) {
        List<JsonNode> stored = before.valueStream()
                .filter(condition -> type.equals(type(condition)))
                .toList();
        int[] places = IntStream.range(0, conditions.size())
                .filter(index -> type.equals(type(conditions.get(index))))
                .toArray();
        for (int i = 0; i < places.length && places.length == stored.size(); i++) {
            conditions.set(places[i], stored.get(i));
        }
    }

    private static void set(List<JsonNode> conditions, ObjectNode status) {
        if (conditions.isEmpty()) {
            status.remove("conditions");
        } else {
            ArrayNode array = status.putArray("conditions");
            conditions.forEach(condition -> array.add(condition.deepCopy()));
        }
    }

    /** What neither, or not this subresource may change ({@code validateCertificateSigningRequestUpdate}). */
    static void check(String subresource, ObjectNode object, ObjectNode old, FieldErrors errors) {
        JsonNode conditions = object.at("/status/conditions");
        List<String> types = types(conditions);
        List<String> before = types(old.at("/status/conditions"));
        check(conditions, before, errors);
        for (String type : DECISIONS) {
            if (count(type, types) < count(type, before)) {
                errors.forbidden(CONDITIONS, "updates may not remove a condition of type " + GoText.quote(type));
            }
        }
        if (subresource.equals(APPROVAL)) {
            return;
        }
        for (String type : APPROVALS) {
            if (count(type, types) > count(type, before)) {
                errors.forbidden(CONDITIONS, "updates may not add a condition of type " + GoText.quote(type));
            }
        }
        String certificate = old.at("/status/certificate").asString("");
        if (!certificate.isEmpty()
                && !certificate.equals(object.at("/status/certificate").asString(""))) {
            errors.forbidden(CERTIFICATE, "updates may not modify existing certificate content");
        }
    }

    private static int count(String type, List<String> types) {
        return Collections.frequency(types, type);
    }

    /** What a write leaves as it was is not refused for what it had ({@code validateConditions}). */
    private static void check(JsonNode conditions, List<String> typesBefore, FieldErrors errors) {
        Set<String> known = new HashSet<>(typesBefore);
        boolean wasRepeated = known.size() < typesBefore.size();
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode condition : conditions) {
            String type = type(condition);
            FieldPath at = CONDITIONS.index(index++);
            if (type.isEmpty() && !known.contains("")) {
                errors.required(at.child("type"), "");
            }
            status(type, condition.path("status"), at.child("status"), errors);
            boolean isRepeated = !seen.add(type);
            if (APPROVALS.contains(type) && seen.containsAll(APPROVALS) && !known.containsAll(APPROVALS)) {
                errors.invalid(CONDITIONS, type, "Approved and Denied conditions are mutually exclusive");
            }
            if (isRepeated && !wasRepeated) {
                errors.duplicate(at.child("type"), type);
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
        return conditions.valueStream().map(Approvals::type).toList();
    }

    private static String type(JsonNode condition) {
        return condition.path("type").asString("");
    }
}
