package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Selectors of other pods that go by the labels of the pod itself ({@code matchLabelKeys}, KEP-3633 and KEP-3243). */
final class LabelKeys {
    private static final String MATCH = "matchLabelKeys";
    private static final String MISMATCH = "mismatchLabelKeys";

    /** A pod with more is beyond what kube-apiserver can store; a body of few bytes must not become a large object. */
    private static final int MERGED_MAX = 10_000;

    private final JsonNode labels;
    private int merged;

    private LabelKeys(JsonNode labels) {
        this.labels = labels;
    }

    /**
     * Adds the values of a new pod's labels to its selectors (kubernetes {@code pkg/registry/core/pod/strategy.go},
     * {@code mutatePodAffinity} and {@code mutateTopologySpreadConstraints}).
     */
    static void merge(ObjectNode pod) {
        var keys = new LabelKeys(pod.path("metadata").path("labels"));
        JsonNode spec = pod.path("spec");
        spec.path("topologySpreadConstraints").forEach(keys::select);
        for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
            JsonNode terms = spec.path("affinity").path(affinity);
            terms.path("preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(preferred -> keys.select(preferred.path("podAffinityTerm")));
            terms.path("requiredDuringSchedulingIgnoredDuringExecution").forEach(keys::select);
        }
    }

    private void select(JsonNode term) {
        if (term.get("labelSelector") instanceof ObjectNode selector) {
            select(selector, term.path(MATCH), "In");
            select(selector, term.path(MISMATCH), "NotIn");
        }
    }

    private void select(ObjectNode selector, JsonNode keys, String operator) {
        for (JsonNode key : keys) {
            JsonNode value = labels.path(key.asString(""));
            if (value.isString() && merged++ < MERGED_MAX) {
                selector.withArrayProperty("matchExpressions")
                        .addObject()
                        .put("key", key.asString(""))
                        .put("operator", operator)
                        .set("values", Json.nodes().arrayNode().add(value));
            }
        }
    }

    /** Keys are those of labels, each said once (kubernetes {@code ValidateMatchLabelKeysAndMismatchLabelKeys}). */
    static void check(ObjectNode term, FieldPath path, FieldErrors errors) {
        JsonNode selector = term.path("labelSelector");
        names(term.path(MATCH), selector, path.child(MATCH), errors);
        names(term.path(MISMATCH), selector, path.child(MISMATCH), errors);
        selectedAgain(term.path(MATCH), selector, path, errors);
        Set<String> others = new HashSet<>(Meta.strings(term.path(MISMATCH)));
        int index = 0;
        for (JsonNode key : term.path(MATCH)) {
            if (others.contains(key.asString(""))) {
                errors.invalid(
                        path.child(MATCH).index(index), key, "exists in both matchLabelKeys and mismatchLabelKeys");
            }
            index++;
        }
    }

    private static void names(JsonNode keys, JsonNode selector, FieldPath path, FieldErrors errors) {
        if (!keys.isEmpty() && !selector.isObject()) {
            errors.forbidden(path, "must not be specified when labelSelector is not set");
            return;
        }
        int index = 0;
        for (JsonNode key : keys) {
            errors.invalid(path.index(index++), key, Names.qualifiedName(key.asString("")));
        }
    }

    /** A pod's keys are in its selector by now, so that one that is there again was there before. */
    private static void selectedAgain(JsonNode keys, JsonNode selector, FieldPath path, FieldErrors errors) {
        Map<String, Integer> places = new HashMap<>();
        int index = 0;
        for (JsonNode key : keys) {
            places.put(key.asString(""), index++);
        }
        Set<String> selected = new HashSet<>(selector.path("matchLabels").propertyNames());
        for (JsonNode requirement : selector.path("matchExpressions")) {
            String key = requirement.path("key").asString("");
            Integer place = places.get(key);
            if (!selected.add(key) && place != null) {
                errors.invalid(path.index(place), key, "exists in both matchLabelKeys and labelSelector");
            }
        }
    }
}
