package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values in a text, as Go's {@code encoding/json} reads and writes them: names of members count in any case, and are written in the
 * order of the type's fields. Bodies of requests are read otherwise, by {@link TypedDecoder} alone.
 */
public final class GoJson {
    private GoJson() {}

    /** A list of structs, empty for null; null if the text is none. */
    public static @Nullable ArrayNode readList(Struct element, String text) {
        JsonNode tree = read(new ListOf("", element), text);
        return tree == null ? null : TypedDecoder.decodeList(element, tree);
    }

    /** A struct, without members for null; null if the text is none. */
    public static @Nullable ObjectNode readStruct(Struct type, String text) {
        JsonNode tree = read(type, text);
        if (tree == null) {
            return null;
        }
        TypedDecoder.Decoded decoded = TypedDecoder.decode(type, tree, "", false);
        return decoded.problem() == null ? decoded.tree() : null;
    }

    /** Structs with what Go writes of them, in its order; null if they are no such structs. */
    public static @Nullable ArrayNode ordered(Struct element, ArrayNode list) {
        ArrayNode decoded = TypedDecoder.decodeList(element, list);
        return decoded == null ? null : (ArrayNode) ordered(new ListOf("", element), decoded);
    }

    private static @Nullable JsonNode read(GoType type, String text) {
        try {
            return named(type, Json.read(text));
        } catch (UnreadableDocumentException e) {
            return null;
        }
    }

    /** A tree whose members have the names of the type's fields. */
    private static JsonNode named(GoType type, JsonNode value) {
        return switch (type) {
            case Struct struct when value instanceof ObjectNode object -> named(struct, object);
            case ListOf list
            when value instanceof ArrayNode array -> {
                ArrayNode items = Json.array();
                array.forEach(item -> items.add(named(list.element(), item)));
                yield items;
            }
            case MapOf map
            when value instanceof ObjectNode object -> {
                ObjectNode entries = Json.object();
                object.forEachEntry((name, entry) -> entries.set(name, named(map.element(), entry)));
                yield entries;
            }
            case Struct _, ListOf _, MapOf _, Union _, Scalar _ -> value;
        };
    }

    private static ObjectNode named(Struct struct, ObjectNode object) {
        ObjectNode members = Json.object();
        object.forEachEntry((name, value) -> {
            Field field = field(struct, name);
            if (field != null) {
                members.set(field.name(), named(field.type(), value));
            }
        });
        return members;
    }

    private static @Nullable Field field(Struct struct, String name) {
        Field exact = struct.field(name);
        if (exact != null) {
            return exact;
        }
        for (Field field : struct.fields()) {
            if (field.name().equalsIgnoreCase(name)) {
                return field;
            }
        }
        return null;
    }

    private static JsonNode ordered(GoType type, JsonNode value) {
        return switch (type) {
            case Struct struct
            when value instanceof ObjectNode object -> {
                ObjectNode members = Json.object();
                for (Field field : struct.fields()) {
                    JsonNode member = object.get(field.name());
                    if (member != null) {
                        members.set(field.name(), ordered(field.type(), member));
                    }
                }
                yield members;
            }
            case ListOf list
            when value instanceof ArrayNode array -> {
                ArrayNode items = Json.array();
                array.forEach(item -> items.add(ordered(list.element(), item)));
                yield items;
            }
            case MapOf map
            when value instanceof ObjectNode object -> {
                ObjectNode entries = Json.object();
                object.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(entry -> entries.set(entry.getKey(), ordered(map.element(), entry.getValue())));
                yield entries;
            }
            case Struct _, ListOf _, MapOf _, Union _, Scalar _ -> value;
        };
    }
}
