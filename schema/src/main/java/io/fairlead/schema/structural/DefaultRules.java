package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a default may be: pruned, valid, and inside metadata a part of valid metadata ({@code defaulting/validation.go}). */
final class DefaultRules {
    private static final Set<String> META_FIELDS = Set.of("metadata", "kind", "apiVersion");

    private final FieldErrors errors = new FieldErrors();

    private final Effort effort;

    private DefaultRules(Effort effort) {
        this.effort = effort;
    }

    static FieldErrors check(JsonSchema root, FieldPath path, Effort effort) {
        DefaultRules rules = new DefaultRules(effort);
        JsonSchema resource = root.asResourceRoot();
        rules.check(resource, path, new Surrounding(resource, List.of(), false));
        return rules.errors;
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

    private void check(JsonSchema schema, FieldPath path, Surrounding surrounding) {
        Surrounding here = schema.embeddedResource ? new Surrounding(schema, List.of(), false) : surrounding;
        if (schema.defaultValue != null) {
            if (here.insideMeta) {
                insideMetadata(schema, schema.defaultValue, path.child("default"), here);
            } else {
                outside(schema, schema.defaultValue, path.child("default"));
            }
        }
        if (schema.items != null) {
            check(schema.items, path.child("items"), here.step("[]", false));
        }
        for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
            String name = property.getKey();
            boolean meta = schema.embeddedResource && META_FIELDS.contains(name);
            check(property.getValue(), path.child("properties").key(name), here.step(name, meta));
        }
    }

    private void outside(JsonSchema schema, JsonNode value, FieldPath path) {
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
        addFirstProblems(problems, schema, value, path);
    }

    private void insideMetadata(JsonSchema schema, JsonNode value, FieldPath path, Surrounding surrounding) {
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
        addFirstProblems(told, schema, value, path);
    }

    /** Values are only judged where the metadata is fine. */
    private void addFirstProblems(FieldErrors problems, JsonSchema schema, JsonNode value, FieldPath path) {
        if (problems.isEmpty()) {
            ValueValidation.validate(schema, value, null, effort).addTo(problems, path);
        }
        errors.addAll(problems);
    }
}
