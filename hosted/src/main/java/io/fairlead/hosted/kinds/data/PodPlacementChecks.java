package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.SelectorRules;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of where pods run that compare fields (kubernetes {@code pkg/apis/core/validation}), by Go type. */
final class PodPlacementChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "core/v1.Toleration", PodPlacementChecks::toleration,
            "core/v1.NodeSelectorTerm", PodPlacementChecks::nodeSelectorTerm,
            "core/v1.TopologySpreadConstraint", PodPlacementChecks::spread,
            "core/v1.PodAffinityTerm", PodPlacementChecks::podAffinity);

    private static final String SPREAD = "topologySpreadConstraints";
    private static final String GATES = "schedulingGates";

    private PodPlacementChecks() {}

    /** Gates of the scheduling, and the pairs of topology and action that occur once. */
    static void pod(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode gate : spec.path(GATES)) {
            FieldPath at = path.child(GATES).index(index++);
            String name = gate.path("name").asString("");
            errors.invalid(at, name, Names.qualifiedName(name));
            if (!names.add(name)) {
                errors.duplicate(at, name);
            }
        }
        JsonNode constraints = spec.path(SPREAD);
        Set<String> later = new HashSet<>();
        for (int i = constraints.size() - 1; i >= 0; i--) {
            String pair = "{" + constraints.get(i).path("topologyKey").asString("") + ", "
                    + constraints.get(i).path("whenUnsatisfiable").asString("") + "}";
            if (!later.add(pair)) {
                errors.duplicate(path.child(SPREAD).index(i).child("{topologyKey, whenUnsatisfiable}"), pair);
            }
        }
    }

    private static void spread(ObjectNode constraint, FieldPath path, FieldErrors errors) {
        String action = constraint.path("whenUnsatisfiable").asString("");
        JsonNode domains = constraint.path("minDomains");
        if (domains.isNumber() && !action.equals("DoNotSchedule")) {
            errors.invalid(
                    path.child("minDomains"),
                    domains,
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
        }
        LabelKeys.check(constraint, path, errors);
    }

    private static void podAffinity(ObjectNode term, FieldPath path, FieldErrors errors) {
        for (JsonNode namespace : term.path("namespaces")) {
            String name = namespace.asString("");
            errors.invalid(path.child("namespace"), name, Names.dns1123Label(name));
        }
        LabelKeys.check(term, path, errors);
    }

    private static void toleration(ObjectNode toleration, FieldPath path, FieldErrors errors) {
        String key = toleration.path("key").asString("");
        String operator = toleration.path("operator").asString("");
        String value = toleration.path("value").asString("");
        String effect = toleration.path("effect").asString("");
        if (!key.isEmpty()) {
            errors.invalid(path.child("key"), key, Names.qualifiedName(key));
        } else if (!operator.equals("Exists")) {
            errors.invalid(
                    path.child("operator"),
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.path("tolerationSeconds").isNumber() && !effect.equals("NoExecute")) {
            errors.invalid(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        switch (operator) {
            case "", "Equal" -> {
                List<String> problems = Names.labelValue(value);
                if (!problems.isEmpty()) {
                    errors.invalid(path.child("operator"), value, String.join(";", problems));
                }
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    errors.invalid(path.child("operator"), value, "value must be empty when `operator` is 'Exists'");
                }
            }
            case "Lt", "Gt" ->
                errors.notSupported(path.child("operator"), operator, List.of("Equal", "Exists", "Lt", "Gt"));
            default -> errors.notSupported(path.child("operator"), operator, List.of("Equal", "Exists"));
        }
    }

    private static void nodeSelectorTerm(ObjectNode term, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode requirement : term.path("matchExpressions")) {
            requirement(requirement, path.child("matchExpressions").index(index++), errors);
        }
        index = 0;
        for (JsonNode requirement : term.path("matchFields")) {
            fieldRequirement(requirement, path.child("matchFields").index(index++), errors);
        }
    }

    private static void requirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
        String operator = requirement.path("operator").asString("");
        boolean compares = operator.equals("Gt") || operator.equals("Lt");
        if (compares && requirement.path("values").size() != 1) {
            errors.required(path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        SelectorRules.labelRequirement(requirement, compares, path, errors);
    }

    /** A node is known by its name alone ({@code ValidateNodeFieldSelectorRequirement}). */
    private static void fieldRequirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
        String operator = requirement.path("operator").asString("");
        JsonNode values = requirement.path("values");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            errors.invalid(path.child("operator"), operator, "not a valid selector operator");
        } else if (values.size() != 1) {
            errors.required(
                    path.child("values"),
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = requirement.path("key").asString("");
        if (!key.equals("metadata.name")) {
            errors.invalid(path.child("key"), key, "not a valid field selector key");
            return;
        }
        int index = 0;
        for (JsonNode value : values) {
            FieldPath at = path.child("values").index(index++);
            errors.invalid(at, value, Names.dns1123Subdomain(value.asString("")));
        }
    }
}
