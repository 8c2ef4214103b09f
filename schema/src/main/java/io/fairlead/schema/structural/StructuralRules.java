package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.text.Patterns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes a schema structural ({@code schema/validation.go} and {@code complete.go}): every value has a type outside
 * of alternatives, alternatives only restrict, and only what is declared.
 */
final class StructuralRules {
    private static final String TYPE = "type";
    private static final String METADATA = "metadata";

    private final FieldErrors errors = new FieldErrors();
    private final Effort effort;
    private boolean givenUp;

    private StructuralRules(Effort effort) {
        this.effort = effort;
    }

    /** Everything that keeps a schema from being structural, sorted by text. */
    static FieldErrors check(JsonSchema root, FieldPath path, Effort effort) {
        StructuralRules rules = new StructuralRules(effort);
        rules.invariants(root, Level.ROOT, path);
        rules.completeness(root, root, path, path);
        rules.errors.sort();
        return rules.errors;
    }

    /** The position of a schema, and how a missing type is reported there. */
    private enum Level {
        ROOT("must not be empty at the root"),
        ITEM("must not be empty for specified array items"),
        FIELD("must not be empty for specified object fields");

        private final String typeMissing;

        Level(String typeMissing) {
            this.typeMissing = typeMissing;
        }
    }

    private void invariants(JsonSchema schema, Level level, FieldPath path) {
        if (schema.type.equals("array") && schema.items == null) {
            errors.required(path.child("items"), "must be specified");
        }
        if (schema.items != null) {
            invariants(schema.items, Level.ITEM, path.child("items"));
        }
        schema.properties.forEach((name, property) ->
                invariants(property, Level.FIELD, path.child("properties").key(name)));
        additionalProperties(schema, level, path.child("additionalProperties"));
        extensions(schema, path);
        junctors(schema, isIntOrStringAnyOf(schema.anyOf), isIntOrStringAllOf(schema), path);
        type(schema, level, path.child(TYPE));
        metaFields(schema, level, path.child("properties"));
        if (schema.embeddedResource && !schema.preserveUnknownFields && schema.properties.isEmpty()) {
            errors.required(
                    path.child("properties"),
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
    }

    private void additionalProperties(JsonSchema schema, Level level, FieldPath path) {
        if (!schema.additionalProperties.given()) {
            return;
        }
        if (level == Level.ROOT) {
            errors.forbidden(path, "must not be used at the root");
        }
        if (schema.embeddedResource) {
            errors.forbidden(path, "must not be used if x-kubernetes-embedded-resource is set");
        }
        JsonSchema additional = schema.additionalProperties.schema();
        if (additional != null) {
            invariants(additional, Level.FIELD, path);
        }
    }

    private void extensions(JsonSchema schema, FieldPath path) {
        for (String name : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
            if (schema.intOrString && schema.is(name)) {
                errors.invalid(
                        path.child(name), schema.tree.get(name), "must be false if x-kubernetes-int-or-string is true");
            }
        }
    }

    private void type(JsonSchema schema, Level level, FieldPath path) {
        String type = schema.type;
        if (schema.embeddedResource && !type.equals("object")) {
            String detail = "must be object if x-kubernetes-embedded-resource is true";
            if (type.isEmpty()) {
                errors.required(path, detail);
            } else {
                errors.invalid(path, type, detail);
            }
        } else if (type.isEmpty() && !schema.intOrString && !schema.preserveUnknownFields) {
            errors.required(path, level.typeMissing);
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            errors.invalid(path, type, "must be object at the root");
        }
    }

    private void metaFields(JsonSchema schema, Level level, FieldPath path) {
        boolean isResource = level == Level.ROOT || schema.embeddedResource;
        if (isResource) {
            for (String name : List.of("kind", "apiVersion")) {
                mustBe(schema.properties.get(name), "string", path.key(name));
            }
            mustBe(schema.properties.get(METADATA), "object", path.key(METADATA));
        }
        JsonSchema metadata = schema.properties.get(METADATA);
        if (metadata != null && level == Level.ROOT && restrictsMoreThanNames(metadata)) {
            errors.forbidden(
                    path.key(METADATA),
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private void mustBe(@Nullable JsonSchema schema, String type, FieldPath path) {
        if (schema != null && !schema.type.equals(type)) {
            errors.invalid(path.child(TYPE), schema.type, "must be " + type);
        }
    }

    private static boolean restrictsMoreThanNames(JsonSchema metadata) {
        return !Set.of("name", "generateName").containsAll(metadata.properties.keySet())
                || !Set.of(TYPE, "default", "properties").containsAll(metadata.tree.propertyNames());
    }

    private void junctors(JsonSchema schema, boolean skipAnyOf, boolean skipFirstAllOfAnyOf, FieldPath path) {
        if (!skipAnyOf) {
            nested(schema.anyOf, path.child("anyOf"));
        }
        for (int i = 0; i < schema.allOf.size(); i++) {
            nested(
                    schema.allOf.get(i),
                    skipFirstAllOfAnyOf && i == 0,
                    path.child("allOf").index(i));
        }
        nested(schema.oneOf, path.child("oneOf"));
        if (schema.not != null) {
            nested(schema.not, false, path.child("not"));
        }
        if (!schema.pattern.isEmpty() && !givenUp) {
            pattern(schema.pattern, path.child("pattern"));
        }
    }

    private void pattern(String pattern, FieldPath path) {
        try {
            String problem = Patterns.problem(pattern, effort);
            if (!problem.isEmpty()) {
                errors.invalid(path, pattern, "must be a valid regular expression, but isn't: " + problem);
            }
        } catch (Effort.ExceededException tooMuch) {
            givenUp = true;
            errors.invalid(
                    path,
                    pattern,
                    "takes, with those before it, more than " + Effort.STEPS_MAX
                            + " steps to compile (expected fewer or simpler patterns in one definition)");
        }
    }

    private void nested(List<JsonSchema> schemas, FieldPath path) {
        for (int i = 0; i < schemas.size(); i++) {
            nested(schemas.get(i), false, path.index(i));
        }
    }

    private void nested(JsonSchema schema, boolean skipAnyOf, FieldPath path) {
        junctors(schema, skipAnyOf, false, path);
        if (schema.items != null) {
            nested(schema.items, false, path.child("items"));
        }
        schema.properties.forEach((name, property) ->
                nested(property, false, path.child("properties").key(name)));
        forbidText(schema, TYPE, path);
        if (schema.additionalProperties.given() && schema.additionalProperties.allowed()) {
            errors.forbidden(path.child("additionalProperties"), "must be undefined to be structural");
        }
        forbidGiven(schema, "default", "undefined", path);
        forbidText(schema, "title", path);
        forbidText(schema, "description", path);
        for (String name : List.of(
                "nullable",
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-int-or-string")) {
            if (schema.is(name)) {
                errors.forbidden(path.child(name), "must be false to be structural");
            }
        }
        forbidGiven(schema, "x-kubernetes-list-map-keys", "empty", path);
        forbidGiven(schema, "x-kubernetes-list-type", "undefined", path);
        forbidGiven(schema, "x-kubernetes-map-type", "undefined", path);
        forbidGiven(schema, "x-kubernetes-validations", "empty", path);
        if (schema.properties.containsKey(METADATA)) {
            errors.forbidden(path.child("properties").key(METADATA), "must not be specified in a nested context");
        }
    }

    private void forbidText(JsonSchema schema, String keyword, FieldPath path) {
        forbidGiven(schema, keyword, "empty", path);
    }

    private void forbidGiven(JsonSchema schema, String keyword, String expected, FieldPath path) {
        if (schema.has(keyword)) {
            errors.forbidden(path.child(keyword), "must be " + expected + " to be structural");
        }
    }

    private void completeness(
            JsonSchema nested, @Nullable JsonSchema structural, FieldPath structuralPath, FieldPath nestedPath) {
        if (structural == null) {
            errors.required(structuralPath, "because it is defined in " + nestedPath);
            return;
        }
        if (nested.not != null) {
            nestedCompleteness(nested.not, structural, structuralPath, nestedPath.child("not"));
        }
        nestedCompleteness(nested.allOf, structural, structuralPath, nestedPath.child("allOf"));
        nestedCompleteness(nested.anyOf, structural, structuralPath, nestedPath.child("anyOf"));
        nestedCompleteness(nested.oneOf, structural, structuralPath, nestedPath.child("oneOf"));
    }

    private void nestedCompleteness(
            List<JsonSchema> nested, JsonSchema structural, FieldPath structuralPath, FieldPath nestedPath) {
        for (int i = 0; i < nested.size(); i++) {
            nestedCompleteness(nested.get(i), structural, structuralPath, nestedPath.index(i));
        }
    }

    private void nestedCompleteness(
            JsonSchema nested, @Nullable JsonSchema structural, FieldPath structuralPath, FieldPath nestedPath) {
        completeness(nested, structural, structuralPath, nestedPath);
        if (structural == null) {
            return;
        }
        if (nested.items != null) {
            nestedCompleteness(
                    nested.items, structural.items, structuralPath.child("items"), nestedPath.child("items"));
        }
        for (Map.Entry<String, JsonSchema> property : nested.properties.entrySet()) {
            String name = property.getKey();
            nestedCompleteness(
                    property.getValue(),
                    structural.properties.get(name),
                    structuralPath.child("properties").key(name),
                    nestedPath.child("properties").key(name));
        }
    }

    private static boolean isIntOrStringAllOf(JsonSchema schema) {
        return !schema.allOf.isEmpty() && isIntOrStringAnyOf(schema.allOf.getFirst().anyOf);
    }

    private static boolean isIntOrStringAnyOf(List<JsonSchema> anyOf) {
        return anyOf.size() == 2 && isOnlyType(anyOf.getFirst(), "integer") && isOnlyType(anyOf.getLast(), "string");
    }

    private static boolean isOnlyType(JsonSchema schema, String type) {
        return schema.tree.size() == 1 && schema.type.equals(type);
    }
}
