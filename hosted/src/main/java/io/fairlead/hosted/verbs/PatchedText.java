package io.fairlead.hosted.verbs;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A patched object as the JSON that a refusal shows (apiserver {@code handlers/patch.go}): what the patch left alone as Go writes
 * its type, what it reached into with its members sorted, as github.com/evanphx/json-patch writes objects.
 */
final class PatchedText {
    private PatchedText() {}

    /** A merged object: what the patch has is sorted, as it is itself, whether it changed anything or not. */
    static String merged(@Nullable Struct type, ObjectNode merged, JsonNode patch) {
        return GoText.jsonAsIs(inOrder(type, merged, patch));
    }

    /** A value of a type as Go writes it. */
    static JsonNode inOrder(@Nullable GoType type, JsonNode value) {
        return inOrder(type, value, null);
    }

    private static JsonNode inOrder(@Nullable GoType type, JsonNode value, @Nullable JsonNode patch) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode ordered = Json.object();
                for (String name : patch == null ? namesInOrder(type, object) : sortedNames(object)) {
                    JsonNode part = patch == null ? null : patch.get(name);
                    ordered.set(name, inOrder(typeOf(type, name), object.path(name), part));
                }
                yield ordered;
            }
            case ArrayNode array
            when patch == null -> {
                GoType element = type instanceof ListOf list ? list.element() : null;
                ArrayNode ordered = Json.array();
                array.forEach(item -> ordered.add(inOrder(element, item, null)));
                yield ordered;
            }
            default -> Json.sorted(value);
        };
    }

    private static List<String> sortedNames(ObjectNode object) {
        return object.propertyNames().stream().sorted().toList();
    }

    private static Iterable<String> namesInOrder(@Nullable GoType type, ObjectNode object) {
        if (type instanceof GoType.Scalar) {
            return object.propertyNames(); // any JSON, which Go keeps as it was written
        }
        List<String> names = sortedNames(object);
        if (!(type instanceof Struct struct)) {
            return names;
        }
        Set<String> ordered = new LinkedHashSet<>();
        for (Field field : struct.fields()) {
            if (object.has(field.name())) {
                ordered.add(field.name());
            }
        }
        ordered.addAll(names);
        return ordered;
    }

    private static @Nullable GoType typeOf(@Nullable GoType type, String name) {
        return switch (type) {
            case Struct struct -> {
                Field field = struct.field(name);
                yield field == null ? null : field.type();
            }
            case MapOf map -> map.element();
            case GoType.Scalar scalar -> scalar;
            case null, default -> null;
        };
    }
}
