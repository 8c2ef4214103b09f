package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.JsonKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a pod's spec may change (kubernetes {@code ValidatePodUpdate}): gates of its scheduling go one by one, and while there are any,
 * it may be confined to fewer nodes.
 */
final class PodUpdates {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final String AFFINITY = "affinity";
    private static final String NODE_AFFINITY = "nodeAffinity";
    private static final String SELECTOR = "nodeSelector";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String TERMS = "nodeSelectorTerms";

    private PodUpdates() {}

    /** What a new pod may not have ({@code ValidatePodCreate}). */
    static void create(JsonNode spec, FieldErrors errors) {
        if (!spec.path("ephemeralContainers").isEmpty()) {
            errors.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create");
        }
        if (isGated(spec) && !spec.path("nodeName").asString("").isEmpty()) {
            errors.forbidden(SPEC.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
        }
    }

    /** How its status may change ({@code ValidatePodStatusUpdate}). */
    static void status(JsonNode status, JsonNode old, FieldErrors errors) {
        FieldPath path = FieldPath.of("status");
        JsonNode node = status.path("nominatedNodeName");
        if (!node.equals(old.path("nominatedNodeName")) && !node.asString("").isEmpty()) {
            FieldPath at = path.child("nominatedNodeName");
            errors.invalid(at, node, TextForm.SUBDOMAIN.problems(node.asString("")));
        }
        JsonNode generation = status.path("observedGeneration");
        if (generation.asLong(0) < 0) {
            errors.invalid(path.child("observedGeneration"), generation, "must be a non-negative integer");
        }
        if (!status.path("qosClass").equals(old.path("qosClass"))) {
            errors.invalid(path.child("qosClass"), status.path("qosClass"), "field is immutable");
        }
        for (String list : List.of("podIPs", "hostIPs")) {
            int index = 0;
            for (JsonNode item : status.path(list)) {
                FieldPath at = path.child(list).index(index++);
                String address = item.path("ip").asString("");
                errors.invalid(at, address, TextForm.IP.problems(address));
            }
        }
    }

    static void check(JsonNode spec, JsonNode old, FieldErrors errors) {
        deadline(spec.path("activeDeadlineSeconds"), old.path("activeDeadlineSeconds"), errors);
        if (!tolerations(spec).containsAll(tolerations(old))) {
            errors.forbidden(
                    SPEC.child("tolerations"), "existing toleration can not be modified except its tolerationSeconds");
        }
        gates(spec.path("schedulingGates"), names(old.path("schedulingGates")), errors);
        if (isGated(old)) {
            selector(spec.path(SELECTOR), old.path(SELECTOR), errors);
            affinity(terms(spec), terms(old), errors);
        }
    }

    /** A spec without what a pod that was gated may change, for the comparison of the rest. */
    static JsonNode fixed(JsonNode spec, JsonNode old) {
        if (!isGated(old) || !(spec instanceof ObjectNode object)) {
            return spec;
        }
        ObjectNode fixed = object.deepCopy();
        fixed.remove(SELECTOR);
        removeNodeAffinity(fixed);
        return fixed;
    }

    /** With it goes the affinity that says nothing else. */
    static void removeNodeAffinity(ObjectNode spec) {
        if (spec.get(AFFINITY) instanceof ObjectNode affinity) {
            affinity.remove(NODE_AFFINITY);
            if (affinity.isEmpty()) {
                spec.remove(AFFINITY);
            }
        }
    }

    private static boolean isGated(JsonNode old) {
        return !old.path("schedulingGates").isEmpty();
    }

    private static void deadline(JsonNode seconds, JsonNode before, FieldErrors errors) {
        FieldPath path = SPEC.child("activeDeadlineSeconds");
        if (!before.isNumber()) {
            return;
        }
        if (!seconds.isNumber()) {
            errors.invalid(path, seconds, "must not update from a positive integer to nil value");
        } else if (seconds.longValue() > before.longValue()) {
            errors.invalid(path, seconds, "must be less than or equal to previous value");
        }
    }

    private static Set<JsonKey> tolerations(JsonNode spec) {
        return spec.path("tolerations")
                .valueStream()
                .map(toleration -> new JsonKey(UpdateChecks.without(toleration, "tolerationSeconds")))
                .collect(Collectors.toSet());
    }

    private static void gates(JsonNode gates, Set<String> before, FieldErrors errors) {
        FieldPath path = SPEC.child("schedulingGates");
        for (int i = 0; i < gates.size(); i++) {
            String name = gates.get(i).path("name").asString("");
            if (!before.contains(name)) {
                errors.forbidden(
                        path.index(i).child("name"),
                        "only deletion is allowed, but found new scheduling gate '" + name + "'");
            }
        }
    }

    private static Set<String> names(JsonNode gates) {
        return gates.valueStream().map(gate -> gate.path("name").asString("")).collect(Collectors.toSet());
    }

    private static void selector(JsonNode selector, JsonNode before, FieldErrors errors) {
        boolean isWider =
                before.propertyStream().anyMatch(label -> !label.getValue().equals(selector.path(label.getKey())));
        if (isWider) {
            errors.invalid(
                    SPEC.child(SELECTOR),
                    selector,
                    "only additions are allowed to spec.nodeSelector (no mutations or deletions)");
        }
    }

    private static JsonNode terms(JsonNode spec) {
        return spec.path(AFFINITY).path(NODE_AFFINITY).path(REQUIRED).path(TERMS);
    }

    private static void affinity(JsonNode terms, JsonNode before, FieldErrors errors) {
        FieldPath path =
                SPEC.child(AFFINITY).child(NODE_AFFINITY).child(REQUIRED).child(TERMS);
        if (before.isEmpty()) {
            return;
        }
        if (terms.size() != before.size()) {
            errors.invalid(path, terms, "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            if (!hasOnlyAdditions(terms.get(i), before.get(i))) {
                errors.invalid(path.index(i), terms.get(i), "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    private static boolean hasOnlyAdditions(JsonNode term, JsonNode before) {
        JsonNode expressions = before.path("matchExpressions");
        JsonNode fields = before.path("matchFields");
        if (expressions.isEmpty() && fields.isEmpty()) {
            return term.path("matchExpressions").isEmpty()
                    && term.path("matchFields").isEmpty();
        }
        return beginsWith(term.path("matchExpressions"), expressions) && beginsWith(term.path("matchFields"), fields);
    }

    private static boolean beginsWith(JsonNode list, JsonNode prefix) {
        for (int i = 0; i < prefix.size(); i++) {
            if (!prefix.get(i).equals(list.path(i))) {
                return false;
            }
        }
        return true;
    }
}
