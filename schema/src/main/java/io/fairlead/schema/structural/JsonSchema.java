package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One node of a schema ({@code JSONSchemaProps}), read once from a decoded tree. Immutable; the tree must not change.
 *
 * <p>Nothing is judged here: {@link SchemaRules} and {@link StructuralRules} say whether a schema is allowed.
 */
final class JsonSchema {
    /** The schema that says nothing. */
    static final JsonSchema EMPTY = new JsonSchema(Json.object(), false);

    final ObjectNode tree;
    final String type;
    final String format;
    final boolean nullable;
    final @Nullable JsonNode defaultValue;
    /** What the default holds; 0 if there is none. */
    final long defaultBytes;

    final Map<String, JsonSchema> properties;
    /** Of them those with a default. */
    final Map<String, JsonSchema> defaulted;

    final @Nullable JsonSchema items;
    final Additional additionalProperties;

    final boolean preserveUnknownFields;
    final boolean embeddedResource;
    final boolean intOrString;
    final String listType;
    final List<String> listMapKeys;
    final String mapType;

    final List<String> required;
    final List<JsonNode> enumeration;
    /** How long the text of all of them is, about. */
    final long enumerationChars;
    /** How many values they are, with those inside them: so many are looked at to compare one value with all of them. */
    final long enumerationNodes;

    final List<JsonSchema> allOf;
    final List<JsonSchema> anyOf;
    final List<JsonSchema> oneOf;
    final @Nullable JsonSchema not;
    /** As it is written: it is compiled when a value is compared with it, as a stored schema may have one that cannot be. */
    final String pattern;

    /** What is known of members without a property: nothing, whether they are allowed, or their schema. */
    record Additional(
            boolean given, boolean allowed, @Nullable JsonSchema schema) {
        private static final Additional NOT_GIVEN = new Additional(false, true, null);

        static Additional of(@Nullable JsonNode node) {
            return switch (node) {
                case null -> NOT_GIVEN;
                case ObjectNode schema -> new Additional(true, true, JsonSchema.of(schema));
                default -> new Additional(true, node.asBoolean(false), null);
            };
        }
    }

    private JsonSchema(ObjectNode tree, boolean embeddedResource) {
        this.tree = tree;
        this.type = text("type");
        this.format = text("format");
        this.nullable = is("nullable");
        this.defaultValue = tree.get("default");
        this.defaultBytes = defaultValue == null ? 0 : TreeSize.of(defaultValue).bytes();
        this.properties = schemas(tree.get("properties"));
        this.defaulted = defaulted(properties);
        this.items = tree.get("items") instanceof ObjectNode schema ? of(schema) : null;
        this.additionalProperties = Additional.of(tree.get("additionalProperties"));
        this.preserveUnknownFields = is("x-kubernetes-preserve-unknown-fields");
        this.embeddedResource = embeddedResource || is("x-kubernetes-embedded-resource");
        this.intOrString = is("x-kubernetes-int-or-string");
        this.listType = text("x-kubernetes-list-type");
        this.listMapKeys = strings("x-kubernetes-list-map-keys");
        this.mapType = text("x-kubernetes-map-type");
        this.required = strings("required");
        this.enumeration = List.copyOf(tree.path("enum").values());
        this.enumerationChars = enumeration.stream()
                .mapToLong(value -> value.isString()
                        ? value.stringValue().length()
                        : Json.text(value).length())
                .sum();
        this.enumerationNodes =
                enumeration.stream().mapToLong(JsonSchema::nodes).sum();
        this.allOf = list("allOf");
        this.anyOf = list("anyOf");
        this.oneOf = list("oneOf");
        this.not = tree.get("not") instanceof ObjectNode schema ? of(schema) : null;
        this.pattern = text("pattern");
    }

    /** Another view of the same schema, which shares its parts. */
    private JsonSchema(JsonSchema same, boolean embeddedResource) {
        this.tree = same.tree;
        this.type = same.type;
        this.format = same.format;
        this.nullable = same.nullable;
        this.defaultValue = same.defaultValue;
        this.defaultBytes = same.defaultBytes;
        this.properties = same.properties;
        this.defaulted = same.defaulted;
        this.items = same.items;
        this.additionalProperties = same.additionalProperties;
        this.preserveUnknownFields = same.preserveUnknownFields;
        this.embeddedResource = embeddedResource;
        this.intOrString = same.intOrString;
        this.listType = same.listType;
        this.listMapKeys = same.listMapKeys;
        this.mapType = same.mapType;
        this.required = same.required;
        this.enumeration = same.enumeration;
        this.enumerationChars = same.enumerationChars;
        this.enumerationNodes = same.enumerationNodes;
        this.allOf = same.allOf;
        this.anyOf = same.anyOf;
        this.oneOf = same.oneOf;
        this.not = same.not;
        this.pattern = same.pattern;
    }

    private static Map<String, JsonSchema> defaulted(Map<String, JsonSchema> properties) {
        Map<String, JsonSchema> defaulted = new LinkedHashMap<>();
        properties.forEach((name, property) -> {
            if (property.defaultValue != null) {
                defaulted.put(name, property);
            }
        });
        return defaulted;
    }

    static JsonSchema of(ObjectNode tree) {
        return new JsonSchema(tree, false);
    }

    /** This schema as the root of a resource: apiVersion, kind and metadata are known whether declared or not. */
    JsonSchema asResourceRoot() {
        return embeddedResource ? this : new JsonSchema(this, true);
    }

    /** The schema of a member: its property, else what additional members must be, else null. */
    @Nullable
    JsonSchema member(String name) {
        JsonSchema property = properties.get(name);
        return property == null ? additionalProperties.schema() : property;
    }

    /** How many values there are in a value, itself included. */
    static long nodes(JsonNode value) {
        long nodes = 1;
        for (JsonNode inner : value.values()) {
            nodes += nodes(inner);
        }
        return nodes;
    }

    boolean has(String keyword) {
        return tree.has(keyword);
    }

    /** A count or bound, null if not given. */
    @Nullable
    JsonNode number(String keyword) {
        return tree.get(keyword);
    }

    boolean is(String keyword) {
        return tree.path(keyword).asBoolean(false);
    }

    String text(String keyword) {
        return tree.path(keyword).asString("");
    }

    private List<String> strings(String keyword) {
        return tree.path(keyword).values().stream()
                .map(node -> node.asString(""))
                .toList();
    }

    private List<JsonSchema> list(String keyword) {
        List<JsonSchema> schemas = new ArrayList<>();
        for (JsonNode node : tree.path(keyword).values()) {
            schemas.add(of((ObjectNode) node));
        }
        return List.copyOf(schemas);
    }

    private static Map<String, JsonSchema> schemas(@Nullable JsonNode node) {
        if (node == null) {
            return Map.of();
        }
        Map<String, JsonSchema> schemas = new LinkedHashMap<>();
        node.properties().forEach(entry -> schemas.put(entry.getKey(), of((ObjectNode) entry.getValue())));
        return Collections.unmodifiableMap(schemas);
    }
}
