package io.fairlead.hosted.meta;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.meta.ObjectMetadata;
import tools.jackson.databind.JsonNode;

/** The rules for selectors in objects (apimachinery {@code apis/meta/v1/validation}). */
public final class SelectorRules {
    private SelectorRules() {}

    /** The rules for a label selector: {@code matchLabels} and {@code matchExpressions}. */
    public static void labelSelector(JsonNode selector, FieldPath path, FieldErrors errors) {
        ObjectMetadata.labels(selector.path("matchLabels"), path.child("matchLabels"), errors);
        int index = 0;
        for (JsonNode requirement : selector.path("matchExpressions").values()) {
            labelRequirement(requirement, false, path.child("matchExpressions").index(index++), errors);
        }
    }

    /**
     * The rules for one requirement about a label.
     *
     * @param anyOperator whether unknown operators are accepted
     */
    public static void labelRequirement(JsonNode requirement, boolean anyOperator, FieldPath path, FieldErrors errors) {
        String key = requirement.path("key").asString("");
        values(requirement, anyOperator, path, errors);
        errors.invalid(path.child("key"), key, Names.qualifiedName(key));
        int index = 0;
        for (JsonNode node : requirement.path("values").values()) {
            FieldPath at = path.child("values").index(index++);
            String value = node.asString("");
            errors.invalid(at, value, Names.labelValue(value));
        }
    }

    /** The rules for one requirement about a field; unknown operators are accepted. */
    public static void fieldRequirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
        if (requirement.path("key").asString("").isEmpty()) {
            errors.required(path.child("key"), "must be specified");
        }
        values(requirement, true, path, errors);
    }

    /** Some operators require values, others forbid them. */
    private static void values(JsonNode requirement, boolean anyOperator, FieldPath path, FieldErrors errors) {
        String operator = requirement.path("operator").asString("");
        boolean none = requirement.path("values").isEmpty();
        switch (operator) {
            case "In", "NotIn" -> {
                if (none) {
                    errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!none) {
                    errors.forbidden(
                            path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> {
                if (!anyOperator) {
                    errors.invalid(path.child("operator"), operator, "not a valid selector operator");
                }
            }
        }
    }
}
