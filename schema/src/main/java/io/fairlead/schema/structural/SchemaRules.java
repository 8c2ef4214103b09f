package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.text.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a schema in a CustomResourceDefinition may not contain, and how the list and map extensions fit together
 * (apiextensions {@code validation.go}).
 */
final class SchemaRules {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> META_FIELDS = Set.of("metadata", "kind", "apiVersion");
    private static final List<String> UNSUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    private static final String ITEMS = "items";
    private static final String TYPE = "type";
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String LIST_MAP_KEYS = "x-kubernetes-list-map-keys";
    private static final String MAP_TYPE = "x-kubernetes-map-type";

    private final FieldErrors errors;

    private SchemaRules(FieldErrors errors) {
        this.errors = errors;
    }

    static void check(JsonSchema root, FieldPath path, FieldErrors errors) {
        new SchemaRules(errors).check(root, path, true, new Context("", false));
    }

    /**
     * Where a schema stands.
     *
     * @param noDefaults why there may be no defaults, empty if there may
     * @param insideMeta whether it describes the metadata of a resource
     */
    private record Context(String noDefaults, boolean insideMeta) {
        Context forMember(boolean root, String name) {
            return new Context(root ? "in top-level " + name : noDefaults, true);
        }

        Context forAdditional() {
            return insideMeta ? new Context("inside additionalProperties applying to object metadata", true) : this;
        }
    }

    private void check(JsonSchema schema, FieldPath path, boolean root, Context context) {
        keywords(schema, path, context);
        additionalProperties(schema, path.child("additionalProperties"), context);
        schema.properties.forEach((name, property) -> {
            boolean meta = (root || schema.embeddedResource) && META_FIELDS.contains(name);
            check(property, path.child("properties").key(name), false, meta ? context.forMember(root, name) : context);
        });
        if (schema.not != null) {
            check(schema.not, path.child("not"), false, context);
        }
        checkAll(schema.allOf, path.child("allOf"), context);
        checkAll(schema.oneOf, path.child("oneOf"), context);
        checkAll(schema.anyOf, path.child("anyOf"), context);
        if (schema.items != null) {
            check(schema.items, path.child(ITEMS), false, context);
        }
        JsonNode preserve = schema.tree.get("x-kubernetes-preserve-unknown-fields");
        if (preserve != null && !preserve.asBoolean(false)) {
            errors.invalid(path.child("x-kubernetes-preserve-unknown-fields"), preserve, "must be true or undefined");
        }
        mapType(schema, path);
        listType(schema, path);
        listMap(schema, path);
        RuleTexts.check(schema, path.child(ValidationRule.KEYWORD), errors);
    }

    private void checkAll(List<JsonSchema> schemas, FieldPath path, Context context) {
        for (int i = 0; i < schemas.size(); i++) {
            check(schemas.get(i), path.index(i), false, context);
        }
    }

    private void keywords(JsonSchema schema, FieldPath path, Context context) {
        if (!schema.type.isEmpty() && !TYPES.contains(schema.type)) {
            errors.notSupported(path.child(TYPE), schema.type, TYPES);
        }
        if (schema.defaultValue != null && !context.noDefaults.isEmpty()) {
            errors.forbidden(path.child("default"), "must not be set " + context.noDefaults);
        }
        for (String keyword : UNSUPPORTED) {
            if (schema.has(keyword)) {
                errors.forbidden(path.child(keyword), keyword + " is not supported");
            }
        }
        if (schema.type.equals("null")) {
            errors.forbidden(path.child(TYPE), "type cannot be set to null, use nullable as an alternative");
        }
        if (schema.tree.path(ITEMS).isArray()) {
            errors.forbidden(path.child(ITEMS), "items must be a schema object and not an array");
        }
        if (context.insideMeta && schema.embeddedResource) {
            errors.forbidden(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
        }
        if (schema.is("uniqueItems")) {
            errors.forbidden(
                    path.child("uniqueItems"),
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
    }

    private void additionalProperties(JsonSchema schema, FieldPath path, Context context) {
        JsonSchema.Additional additional = schema.additionalProperties;
        if (!schema.properties.isEmpty() && (!additional.allowed() || additional.schema() != null)) {
            errors.forbidden(path, "additionalProperties and properties are mutual exclusive");
        }
        if (additional.schema() != null) {
            check(additional.schema(), path, false, context.forAdditional());
        }
    }

    private void mapType(JsonSchema schema, FieldPath path) {
        if (!schema.has(MAP_TYPE)) {
            return;
        }
        mustBeType(schema, "object", "x-kubernetes-map-type", path.child(TYPE));
        if (!schema.mapType.equals("atomic") && !schema.mapType.equals("granular")) {
            errors.notSupported(path.child(MAP_TYPE), schema.mapType, List.of("atomic", "granular"));
        }
    }

    private void listType(JsonSchema schema, FieldPath path) {
        if (!schema.has(LIST_TYPE)) {
            return;
        }
        if (!schema.type.equals("array")) {
            mustBeType(schema, "array", LIST_TYPE, path.child(TYPE));
        } else if (schema.listType.equals("set") && schema.items != null) {
            atomicItems(schema.items, path.child(ITEMS));
        }
        if (!Set.of("atomic", "set", "map").contains(schema.listType)) {
            errors.notSupported(path.child(LIST_TYPE), schema.listType, List.of("atomic", "set", "map"));
        }
    }

    private void mustBeType(JsonSchema schema, String type, String extension, FieldPath path) {
        String detail = "must be " + type + " if " + extension + " is specified";
        if (schema.type.isEmpty()) {
            errors.required(path, detail);
        } else if (!schema.type.equals(type)) {
            errors.invalid(path, schema.type, detail);
        }
    }

    private void atomicItems(JsonSchema items, FieldPath path) {
        String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        JsonNode listType = items.tree.path(LIST_TYPE);
        if (items.type.equals("array") && items.has(LIST_TYPE) && !items.listType.equals("atomic")) {
            errors.invalid(path.child(LIST_TYPE), listType, detail);
        } else if (items.type.equals("object") && !items.mapType.equals("atomic")) {
            errors.invalid(path.child(MAP_TYPE), listType, detail);
        }
    }

    private void listMap(JsonSchema schema, FieldPath path) {
        if (!schema.listMapKeys.isEmpty() && !schema.listType.equals("map")) {
            String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (schema.has(LIST_TYPE)) {
                errors.invalid(path.child(LIST_TYPE), schema.listType, detail);
            } else {
                errors.required(path.child(LIST_TYPE), detail);
            }
        }
        if (schema.listType.equals("map")) {
            listMapItems(schema, path);
        }
        if (schema.items != null && (schema.listType.equals("map") || schema.listType.equals("set"))) {
            presentKeys(schema, schema.items, path.child(ITEMS));
        }
    }

    private void listMapItems(JsonSchema schema, FieldPath path) {
        if (schema.listMapKeys.isEmpty()) {
            errors.required(path.child(LIST_MAP_KEYS), "must not be empty if x-kubernetes-list-type is map");
        }
        if (!schema.has(ITEMS)) {
            errors.required(path.child(ITEMS), "must have a schema if x-kubernetes-list-type is map");
        } else if (schema.items == null) {
            errors.invalid(
                    path.child(ITEMS),
                    schema.tree.get(ITEMS),
                    "must only have a single schema if x-kubernetes-list-type is map");
        } else if (!schema.items.type.equals("object")) {
            errors.invalid(
                    path.child(ITEMS).child(TYPE),
                    schema.items.type,
                    "must be object if parent array's x-kubernetes-list-type is map");
        } else {
            scalarKeys(schema, schema.items, path);
        }
    }

    private void scalarKeys(JsonSchema schema, JsonSchema items, FieldPath path) {
        Set<String> seen = new HashSet<>();
        for (String key : schema.listMapKeys) {
            JsonSchema property = items.properties.get(key);
            JsonNode keys = schema.tree.get(LIST_MAP_KEYS);
            if (property == null) {
                errors.invalid(path.child(LIST_MAP_KEYS), keys, "entries must all be names of item properties");
            } else if (property.type.equals("array") || property.type.equals("object")) {
                errors.invalid(
                        path.child(ITEMS).child("properties").key(key).child(TYPE),
                        items.type,
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key)) {
                errors.invalid(path.child(LIST_MAP_KEYS), keys, "must not contain duplicate entries");
            }
        }
    }

    private void presentKeys(JsonSchema schema, JsonSchema items, FieldPath path) {
        if (items.nullable) {
            errors.forbidden(
                    path.child("nullable"), "cannot be nullable when x-kubernetes-list-type is " + schema.listType);
        }
        if (!schema.listType.equals("map")) {
            return;
        }
        for (String key : schema.listMapKeys) {
            JsonSchema property = items.properties.get(key);
            FieldPath at = path.child("properties").key(key);
            if (property != null && !items.required.contains(key) && property.defaultValue == null) {
                errors.required(
                        at.child("default"),
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property");
            }
            if (property != null && property.nullable) {
                errors.forbidden(
                        at.child("nullable"),
                        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            }
        }
    }

    /**
     * The first keyword somewhere in a schema that keeps it from being read as a structural one, empty if there is none;
     * whether it is structural is not asked then.
     */
    static String firstUnsupported(JsonSchema schema) {
        for (String keyword : UNSUPPORTED) {
            if (schema.has(keyword)) {
                return keyword;
            }
        }
        if (schema.has("$schema")) {
            return "schema";
        }
        if (schema.tree.path(ITEMS).isArray()) {
            return ITEMS;
        }
        JsonNode preserve = schema.tree.get("x-kubernetes-preserve-unknown-fields");
        if (preserve != null && !preserve.asBoolean(false)) {
            return "x-kubernetes-preserve-unknown-fields";
        }
        return children(schema)
                .map(SchemaRules::firstUnsupported)
                .filter(keyword -> !keyword.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static Stream<JsonSchema> children(JsonSchema schema) {
        return Stream.of(
                        schema.properties.values().stream(),
                        Stream.ofNullable(schema.items),
                        Stream.ofNullable(schema.additionalProperties.schema()),
                        schema.allOf.stream(),
                        schema.anyOf.stream(),
                        schema.oneOf.stream(),
                        Stream.ofNullable(schema.not))
                .flatMap(part -> part);
    }

    /** The formats that are not known and therefore ignored, once each per place, for warnings. */
    static void unrecognizedFormats(JsonNode node, List<String> formats) {
        if (node instanceof ObjectNode schema) {
            String format = schema.path("format").asString("");
            if (!format.isEmpty() && !isRecognized(format, schema.path(TYPE).asString(""))) {
                formats.add(format);
            }
            for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
                switch (keyword.getKey()) {
                    case "properties" ->
                        keyword.getValue().values().forEach(property -> unrecognizedFormats(property, formats));
                    case "items", "not", "additionalProperties" -> unrecognizedFormats(keyword.getValue(), formats);
                    case "allOf", "anyOf", "oneOf" ->
                        keyword.getValue().values().forEach(nested -> unrecognizedFormats(nested, formats));
                    default -> {}
                }
            }
        }
    }

    private static boolean isRecognized(String format, String type) {
        return switch (type) {
            case "", "string" -> Formats.isKnown(format);
            case "integer" -> format.equals("int32") || format.equals("int64");
            case "number" -> format.equals("float") || format.equals("double");
            default -> false;
        };
    }
}
