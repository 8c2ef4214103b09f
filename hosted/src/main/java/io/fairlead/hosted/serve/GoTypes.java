package io.fairlead.hosted.serve;

import io.fairlead.hosted.object.Meta;
import io.fairlead.schema.meta.MetadataTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The Go types of built-in kinds, read off their schemas: what is {@code required} is written even when empty. */
final class GoTypes {
    private GoTypes() {}

    /** The type of a kind, with {@code ObjectMeta} as its metadata. */
    static Struct ofKind(String kind, JsonNode schema) {
        Struct type = struct("v1." + kind, schema);
        type.field("metadata", MetadataTypes.OBJECT_META);
        return type;
    }

    private static Struct struct(String goName, JsonNode schema) {
        Struct type = new Struct(goName);
        List<String> required = Meta.strings(schema.path("required"));
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            GoType field = type(property.getKey(), property.getValue());
            if (required.contains(property.getKey())) {
                type.kept(property.getKey(), field);
            } else {
                type.field(property.getKey(), field);
            }
        }
        return type;
    }

    private static GoType type(String name, JsonNode schema) {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)) {
            return GoType.ANY;
        }
        return switch (schema.path("type").asString("")) {
            case "object" -> schema.has("properties") ? struct("v1." + name, schema) : map(schema);
            case "array" -> list(schema);
            case "boolean" -> GoType.OPTIONAL_BOOLEAN;
            case "integer" -> GoType.OPTIONAL_INTEGER;
            case "number" -> GoType.OPTIONAL_NUMBER;
            default -> schema.path("format").asString("").equals("date-time") ? GoType.TIME : GoType.STRING;
        };
    }

    private static MapOf map(JsonNode schema) {
        GoType values = type("value", schema.path("additionalProperties"));
        return new MapOf("map[string]" + values.goName(), values);
    }

    private static ListOf list(JsonNode schema) {
        GoType items = type("item", schema.path("items"));
        return new ListOf("[]" + items.goName(), items);
    }
}
