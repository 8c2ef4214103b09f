package io.fairlead.schema.managed;

import io.fairlead.schema.field.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * As what a value is treated where a type takes several kinds: as what it is if the type takes that, else as the first of
 * object, scalar and list that the type takes (structured-merge-diff {@code typed/helpers.go}).
 */
enum Part {
    MEMBERS,
    SCALAR,
    ITEMS;

    static Part of(ManagedType type, @Nullable JsonNode value) {
        return switch (value) {
            case ObjectNode _ when type.members() != null -> MEMBERS;
            case ArrayNode _ when type.items() != null -> ITEMS;
            case JsonNode node when node.isValueNode() && !node.isNull() && type.scalar() != null -> SCALAR;
            case null, default -> type.members() != null ? MEMBERS : type.scalar() != null ? SCALAR : ITEMS;
        };
    }

    /** Whether a value is an object with members. */
    static boolean hasMembers(@Nullable JsonNode value) {
        return value instanceof ObjectNode object && !object.isEmpty();
    }

    /** Whether a value is a list with items. */
    static boolean hasItems(@Nullable JsonNode value) {
        return value instanceof ArrayNode array && !array.isEmpty();
    }

    static @Nullable JsonNode member(@Nullable JsonNode value, String name) {
        return value instanceof ObjectNode object ? object.get(name) : null;
    }

    /** The names of the members of either value. */
    static Iterable<String> names(@Nullable JsonNode left, @Nullable JsonNode right) {
        TreeSet<String> names = new TreeSet<>();
        if (left instanceof ObjectNode object) {
            names.addAll(object.propertyNames());
        }
        if (right instanceof ObjectNode object) {
            names.addAll(object.propertyNames());
        }
        return names;
    }

    /** Why nothing identifies an item of an associative list; null if something does. */
    static @Nullable String unidentified(ManagedType.Items items, JsonNode item) {
        if (items.keys().isEmpty()) {
            return item.isObject()
                    ? "associative list without keys has an element that's a map type"
                    : item.isArray()
                            ? "not supported: associative list with lists as elements"
                            : item.isNull()
                                    ? "associative list without keys has an element that's an explicit null"
                                    : null;
        }
        if (!(item instanceof ObjectNode object)) {
            return "associative list with keys may not have " + (item.isNull() ? "a null element" : "non-map elements");
        }
        return items.keys().stream().anyMatch(key -> key(items, object, key) != null)
                ? null
                : items.keys().stream()
                        .map(GoText::quote)
                        .collect(Collectors.joining(
                                " ",
                                "associative list with keys has an element that omits all key fields [",
                                "] (and doesn't have default values for any key fields)"));
    }

    /** What identifies an item of an associative list, which something must. */
    static PathElement element(ManagedType.Items items, JsonNode item) {
        if (!(item instanceof ObjectNode object)) {
            return new PathElement.Valued(item);
        }
        NavigableMap<String, JsonNode> keys = new TreeMap<>();
        for (String key : items.keys()) {
            JsonNode value = key(items, object, key);
            if (value != null) {
                keys.put(key, value);
            }
        }
        return new PathElement.Keyed(keys);
    }

    private static @Nullable JsonNode key(ManagedType.Items items, ObjectNode item, String key) {
        JsonNode given = item.get(key);
        return given == null ? items.keyDefault(key) : given;
    }

    /**
     * The items of an associative list by what identifies them. Items that nothing identifies are left out: they have no
     * managers, and no configuration is applied to an object that has one.
     */
    static NavigableMap<PathElement, List<JsonNode>> itemsOf(ManagedType.Items items, @Nullable JsonNode list) {
        NavigableMap<PathElement, List<JsonNode>> found = new TreeMap<>();
        for (JsonNode item : identified(items, list)) {
            found.computeIfAbsent(element(items, item), _ -> new ArrayList<>(1)).add(item);
        }
        return found;
    }

    /** The items of an associative list that something identifies, in their order. */
    static List<JsonNode> identified(ManagedType.Items items, @Nullable JsonNode list) {
        return list instanceof ArrayNode array
                ? array.values().stream()
                        .filter(item -> unidentified(items, item) == null)
                        .toList()
                : List.of();
    }
}
