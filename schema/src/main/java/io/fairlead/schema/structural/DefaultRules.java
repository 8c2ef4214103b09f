package io.fairlead.schema.structural;

import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a default may be: pruned, valid by its schema and by the rules of it, and inside metadata a part of valid metadata ({@code
 * defaulting/validation.go}).
 */
final class DefaultRules {
    private static final Set<String> META_FIELDS = Set.of("metadata", "kind", "apiVersion");

    private final FieldErrors errors = new FieldErrors();

    private final Effort effort;
    private final EvaluationBudget budget = new EvaluationBudget();

    private DefaultRules(Effort effort) {
        this.effort = effort;
    }

    static FieldErrors check(JsonSchema root, FieldPath path, Effort effort) {
        DefaultRules rules = new DefaultRules(effort);
        JsonSchema resource = root.asResourceRoot();
        rules.check(resource, path, new Surrounding(resource, List.of(), false), rulesFor(root));
        return rules.errors;
    }

    /** The rules that judge defaults; none if there are so many that the definition is refused for it anyway. */
    private static @Nullable RuleTree rulesFor(JsonSchema root) {
        try {
            return hasDefaults(root)
                    ? RuleTree.of(root, new Effort(RuleChecks.STEPS_MAX)).orElse(null)
                    : null;
        } catch (Effort.ExceededException tooMuch) {
            return null;
        }
    }

    private static boolean hasDefaults(JsonSchema schema) {
        return schema.defaultValue != null
                || (schema.items != null && hasDefaults(schema.items))
                || schema.properties.values().stream().anyMatch(DefaultRules::hasDefaults);
    }

    /**
     * The resource in which a default stands.
     *
     * @param resource the schema of the resource
     * @param steps the way from it, members by name and elements as {@code []}
     * @param insideMeta whether the way leads through its apiVersion, kind or metadata
     */
    private record Surrounding(JsonSchema resource, List<String> steps, boolean insideMeta) {
        Surrounding step(String step, boolean meta) {
            return new Surrounding(
                    resource, Stream.concat(steps.stream(), Stream.of(step)).toList(), insideMeta || meta);
        }

        /** A resource that has nothing but the default. */
        ObjectNode objectWith(JsonNode value) {
            JsonNode built = value.deepCopy();
            for (String step : steps.reversed()) {
                built = step.equals("[]")
                        ? Json.array().add(built)
                        : Json.object().set(step, built);
            }
            ObjectNode object = Json.object().put("apiVersion", "validation/v1").put("kind", "Validation");
            return built instanceof ObjectNode members ? object.setAll(members) : object;
        }
    }

    private void check(JsonSchema schema, FieldPath path, Surrounding surrounding, @Nullable RuleTree rules) {
        if (budget.left() < 0) {
            return;
        }
        Surrounding here = schema.embeddedResource ? new Surrounding(schema, List.of(), false) : surrounding;
        if (schema.defaultValue != null) {
            if (here.insideMeta) {
                insideMetadata(schema, schema.defaultValue, path.child("default"), here, rules);
            } else {
                outside(schema, schema.defaultValue, path.child("default"), rules);
            }
        }
        if (schema.items != null) {
            check(schema.items, path.child("items"), here.step("[]", false), rules == null ? null : rules.items());
        }
        for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
            String name = property.getKey();
            boolean meta = schema.embeddedResource && META_FIELDS.contains(name);
            check(
                    property.getValue(),
                    path.child("properties").key(name),
                    here.step(name, meta),
                    rules == null ? null : rules.properties().get(name));
        }
    }

    private void outside(JsonSchema schema, JsonNode value, FieldPath path, @Nullable RuleTree rules) {
        JsonNode pruned = value.deepCopy();
        Pruning.prune(pruned, schema);
        if (!pruned.equals(value)) {
            errors.invalid(path, value, "must not have unknown fields");
        }
        FieldErrors problems =
                EmbeddedResources.coerce(value.deepCopy(), schema, path, false).errors();
        if (problems.isEmpty()) {
            EmbeddedResources.check(value, schema, path, problems);
        }
        addFirstProblems(problems, schema, value, path, rules);
    }

    private void insideMetadata(
            JsonSchema schema, JsonNode value, FieldPath path, Surrounding surrounding, @Nullable RuleTree rules) {
        ObjectNode object = surrounding.objectWith(value);
        FieldErrors problems = EmbeddedResources.coerce(object.deepCopy(), surrounding.resource, FieldPath.ROOT, false)
                .errors();
        if (problems.isEmpty()) {
            EmbeddedResources.check(object, surrounding.resource, FieldPath.ROOT, problems);
        }
        FieldErrors told = new FieldErrors();
        if (!problems.isEmpty()) {
            told.invalid(path, value, "must result in valid metadata: " + problems.message());
        }
        addFirstProblems(told, schema, value, path, rules);
    }

    /** Values are only judged where the metadata is fine, and by rules where they fit their schema. */
    private void addFirstProblems(
            FieldErrors problems, JsonSchema schema, JsonNode value, FieldPath path, @Nullable RuleTree rules) {
        if (problems.isEmpty()) {
            ValueValidation.validate(schema, value, null, effort).addTo(problems, path);
            if (problems.isEmpty() && rules != null) {
                RuleValidation.validateDefault(rules, path, value, budget, problems);
            }
        }
        errors.addAll(problems);
    }
}
