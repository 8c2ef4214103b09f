package io.fairlead.schema.structural;

import io.fairlead.schema.cel.DeclaredType;
import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.json.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The types that rules see of schemas (apiserver {@code cel/common/schemas.go}). */
final class RuleTypes {
    /** Named so that no expression can name it. */
    private static final String ROOT_NAME = "@self";

    private static final JsonSchema TEXT = JsonSchema.of(typed("string"));

    private RuleTypes() {}

    /** The type of a schema's values, empty if rules cannot see them. */
    static Optional<DeclaredType> of(JsonSchema schema, boolean resource) {
        return Optional.ofNullable(type(schema, resource, ROOT_NAME));
    }

    /** How many types a type is made of. */
    static long size(DeclaredType type) {
        long size =
                1 + type.fields().values().stream().mapToLong(RuleTypes::size).sum();
        return type.element() == null ? size : size + size(type.element());
    }

    private static @Nullable DeclaredType type(JsonSchema schema, boolean resource, String name) {
        if (schema.intOrString) {
            return DeclaredType.dynamic(charsMax(schema, 4));
        }
        return switch (schema.type) {
            case "array" -> list(schema, name);
            case "object" ->
                schema.additionalProperties.schema() == null || resource
                        ? object(schema, resource, name)
                        : map(schema, schema.additionalProperties.schema(), name);
            case "string" -> text(schema);
            case "boolean" -> DeclaredType.BOOL;
            case "number" -> DeclaredType.DOUBLE;
            case "integer" -> DeclaredType.INT;
            default -> null;
        };
    }

    private static @Nullable DeclaredType list(JsonSchema schema, String name) {
        DeclaredType items =
                schema.items == null ? null : type(schema.items, schema.items.embeddedResource, name + ".@idx");
        return items == null ? null : DeclaredType.list(items, count(schema, "maxItems"));
    }

    private static @Nullable DeclaredType map(JsonSchema schema, JsonSchema values, String name) {
        DeclaredType value = type(values, values.embeddedResource, name + ".@elem");
        return value == null ? null : DeclaredType.map(value, count(schema, "maxProperties"));
    }

    private static DeclaredType object(JsonSchema schema, boolean resource, String name) {
        Map<String, DeclaredType> fields = new HashMap<>();
        long bytesMin = 2;
        for (Map.Entry<String, JsonSchema> property :
                properties(schema, resource).entrySet()) {
            JsonSchema inner = property.getValue();
            Optional<String> identifier = Identifiers.escape(property.getKey());
            String at = name + "." + identifier.orElse("@unnamed");
            DeclaredType field = type(inner, inner.embeddedResource, at);
            if (field == null) {
                continue;
            }
            identifier.ifPresent(escaped -> fields.put(escaped, field));
            if (schema.required.contains(property.getKey()) && inner.defaultValue == null) {
                bytesMin += property.getKey().length() + field.bytesMin() + 4;
            }
        }
        return DeclaredType.object(name, fields, bytesMin);
    }

    /** The properties that rules see: of a resource's metadata only the names. */
    static Map<String, JsonSchema> properties(JsonSchema schema, boolean resource) {
        if (!resource || isComplete(schema)) {
            return schema.properties;
        }
        Map<String, JsonSchema> properties = new LinkedHashMap<>(schema.properties);
        properties.put("apiVersion", TEXT);
        properties.put("kind", TEXT);
        ObjectNode metadata = typed("object");
        metadata.putObject("properties").set("name", typed("string"));
        metadata.withObjectProperty("properties").set("generateName", typed("string"));
        properties.put("metadata", JsonSchema.of(metadata));
        return properties;
    }

    private static boolean isComplete(JsonSchema schema) {
        JsonSchema metadata = schema.properties.getOrDefault("metadata", JsonSchema.EMPTY);
        return isText(schema, "kind")
                && isText(schema, "apiVersion")
                && isText(metadata, "name")
                && isText(metadata, "generateName");
    }

    private static boolean isText(JsonSchema schema, String property) {
        return schema.properties.getOrDefault(property, JsonSchema.EMPTY).type.equals("string");
    }

    private static DeclaredType text(JsonSchema schema) {
        return switch (schema.format) {
            case "byte" -> DeclaredType.bytes(charsMax(schema, 1));
            case "duration" -> DeclaredType.duration();
            case "date" -> DeclaredType.date();
            case "date-time" -> DeclaredType.dateTime();
            default -> DeclaredType.string(schema.has("maxLength") ? charsMax(schema, 4) : enumerated(schema));
        };
    }

    private static long enumerated(JsonSchema schema) {
        return schema.enumeration.stream()
                .mapToLong(value -> value.isString() ? value.stringValue().length() : 0)
                .max()
                .orElse(DeclaredType.REQUEST_BYTES_MAX - 2);
    }

    /** A character may take several bytes. */
    private static long charsMax(JsonSchema schema, int bytesOfCharacter) {
        Long max = count(schema, "maxLength");
        return max == null
                ? DeclaredType.REQUEST_BYTES_MAX - 2
                : Math.min(Math.max(0, max), Long.MAX_VALUE / 8) * bytesOfCharacter;
    }

    static @Nullable Long count(JsonSchema schema, String keyword) {
        JsonNode bound = schema.number(keyword);
        return bound == null ? null : (Long) Math.max(0, bound.longValue());
    }

    private static ObjectNode typed(String type) {
        return Json.object().put("type", type);
    }
}
