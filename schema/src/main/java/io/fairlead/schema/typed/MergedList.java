package io.fairlead.schema.typed;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeType;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list into which a strategic merge patch is merged: values by themselves, objects by the value of their merge key.
 *
 * <p>Elements come in the order of the patch, and what only the original has keeps its place between them as well as
 * both orders allow. Takes time linear in the lists, except for sorting.
 */
final class MergedList {
    private final StrategicMergePatch patches;
    private final GoType element;
    private final @Nullable String mergeKey;

    MergedList(StrategicMergePatch patches, GoType element, @Nullable String mergeKey) {
        this.patches = patches;
        this.element = element;
        this.mergeKey = mergeKey;
    }

    /** Merges; with {@code deletion} the patch holds values that shall go. */
    ArrayNode merge(ArrayNode original, ArrayNode patch, boolean deletion) {
        if (original.isEmpty() && patch.isEmpty()) {
            return original;
        }
        JsonNodeType kind = elementType(original, patch);
        if (kind != JsonNodeType.OBJECT) {
            return values(original, patch, deletion);
        }
        if (mergeKey == null) {
            throw StrategicMergePatch.invalid("cannot merge lists without merge key for " + goKind());
        }
        return objects(original, patch, mergeKey);
    }

    private ArrayNode values(ArrayNode original, ArrayNode patch, boolean deletion) {
        if (deletion) {
            Set<JsonKey> deleted = patch.values().stream().map(JsonKey::new).collect(Collectors.toSet());
            return array(original.values().stream()
                    .filter(one -> !deleted.contains(new JsonKey(one)))
                    .toList());
        }
        Set<JsonKey> seen = new HashSet<>();
        List<JsonNode> merged = Stream.concat(original.values().stream(), patch.values().stream())
                .filter(one -> seen.add(new JsonKey(one)))
                .toList();
        return ordered(array(merged), patch, original);
    }

    private ArrayNode objects(ArrayNode original, ArrayNode patch, String key) {
        List<ObjectNode> changes = new ArrayList<>();
        Set<JsonKey> deleted = new HashSet<>();
        boolean replace = false;
        for (JsonNode one : patch) {
            ObjectNode change = (ObjectNode) one;
            JsonNode directive = change.get(StrategicMergePatch.DIRECTIVE);
            if (directive == null) {
                changes.add(change);
            } else if (isReplacement(directive, change)) {
                replace = true;
            } else {
                deleted.add(new JsonKey(keyOf(change, key)));
            }
        }
        if (replace) {
            changes.forEach(change -> keyOf(change, key));
            return array(changes);
        }
        List<JsonNode> before = original.values().stream()
                .filter(current -> !isIn(deleted, current.get(key)))
                .toList();
        return ordered(array(changed(before, changes, key)), array(changes), array(before));
    }

    private List<JsonNode> changed(List<JsonNode> before, List<ObjectNode> changes, String key) {
        List<JsonNode> merged = new ArrayList<>(before);
        Map<JsonKey, Integer> places = places(before);
        for (ObjectNode change : changes) {
            JsonKey identity = new JsonKey(keyOf(change, key));
            Integer place = places.putIfAbsent(identity, merged.size());
            if (place == null) {
                merged.add(change);
            } else {
                merged.set(place, patches.map((ObjectNode) merged.get(place), change, element));
            }
        }
        return merged;
    }

    /** Whether a directive says that the patch replaces everything, not that one element goes. */
    private static boolean isReplacement(JsonNode directive, ObjectNode change) {
        return switch (directive.asString("")) {
            case "delete" -> false;
            case "replace" -> true;
            case "merge" -> throw StrategicMergePatch.invalid("merging lists cannot yet be specified in the patch");
            default -> throw StrategicMergePatch.badDirective(directive, change);
        };
    }

    /** The elements so that those that an order names follow it, the others that of the original. */
    ArrayNode ordered(ArrayNode merged, ArrayNode order, ArrayNode original) {
        elementType(original, merged);
        Map<JsonKey, Integer> wanted = places(order.values());
        Map<JsonKey, Integer> before = places(original.values());
        List<JsonNode> fromPatch = new ArrayList<>();
        List<JsonNode> fromOriginal = new ArrayList<>();
        for (JsonNode one : merged) {
            (wanted.containsKey(identity(one)) ? fromPatch : fromOriginal).add(one);
        }
        fromPatch.sort(Comparator.comparing(one -> wanted.getOrDefault(identity(one), -1)));
        fromOriginal.sort(Comparator.comparing(one -> before.getOrDefault(identity(one), -1)));
        return array(interleaved(fromOriginal, fromPatch, before));
    }

    /** Puts what only the original has before the first element of the patch that came behind it there. */
    private List<JsonNode> interleaved(List<JsonNode> left, List<JsonNode> right, Map<JsonKey, Integer> before) {
        List<JsonNode> all = new ArrayList<>(left.size() + right.size());
        int taken = 0;
        for (JsonNode one : right) {
            int place = before.getOrDefault(identity(one), -1);
            while (taken < left.size() && isInFront(left.get(taken), place, before)) {
                all.add(left.get(taken++));
            }
            all.add(one);
        }
        all.addAll(left.subList(taken, left.size()));
        return all;
    }

    private boolean isInFront(JsonNode one, int place, Map<JsonKey, Integer> before) {
        Integer own = before.get(identity(one));
        return own != null && own < place;
    }

    /** Where each element stands first. */
    private Map<JsonKey, Integer> places(Collection<JsonNode> list) {
        Map<JsonKey, Integer> places = HashMap.newHashMap(list.size());
        int place = 0;
        for (JsonNode one : list) {
            places.putIfAbsent(identity(one), place++);
        }
        return places;
    }

    /** The elements of a patch have to be a part of the order, in the same order. */
    void requireOrder(ArrayNode patch, ArrayNode order) {
        if (order.isEmpty() || patch.isEmpty()) {
            return;
        }
        int next = 0;
        for (JsonNode change : patch) {
            if (change.has(StrategicMergePatch.DIRECTIVE)) {
                continue;
            }
            while (next < order.size() && !identity(change).equals(identity(order.get(next)))) {
                next++;
            }
            if (next++ == order.size()) {
                throw StrategicMergePatch.invalid("The order in patch list:\n" + GoText.plain(patch)
                        + "\n doesn't match $setElementOrder list:\n" + GoText.plain(order) + "\n");
            }
        }
    }

    private static boolean isIn(Set<JsonKey> keys, @Nullable JsonNode key) {
        return key != null && keys.contains(new JsonKey(key));
    }

    private JsonKey identity(JsonNode one) {
        return new JsonKey(mergeKey == null ? one : keyOf(one, mergeKey));
    }

    private static JsonNode keyOf(JsonNode one, String key) {
        if (!(one instanceof ObjectNode object)) {
            throw StrategicMergePatch.invalid("expected a map[string]interface {}, but received a " + GoText.kind(one));
        }
        JsonNode value = object.get(key);
        if (value == null) {
            throw StrategicMergePatch.invalid(
                    "map: " + GoText.plain(object) + " does not contain declared merge key: " + key);
        }
        return value;
    }

    private static JsonNodeType elementType(ArrayNode... lists) {
        JsonNodeType type = JsonNodeType.MISSING;
        for (ArrayNode list : lists) {
            for (JsonNode one : list) {
                if (type == JsonNodeType.MISSING && one.isArray()) {
                    throw StrategicMergePatch.invalid("lists of lists are not supported");
                }
                if (type != JsonNodeType.MISSING && type != one.getNodeType()) {
                    throw StrategicMergePatch.invalid(
                            "list element types are not identical: " + GoText.plain(array(List.of(lists))));
                }
                type = one.getNodeType();
            }
        }
        return type;
    }

    private String goKind() {
        return element instanceof GoType.Struct ? "struct" : element.goName();
    }

    private static ArrayNode array(Collection<? extends JsonNode> nodes) {
        return Json.array().addAll(nodes);
    }
}
