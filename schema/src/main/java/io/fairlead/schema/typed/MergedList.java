package io.fairlead.schema.typed;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeType;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list into which a strategic merge patch is merged: values by themselves, objects by the value of their merge key.
 *
 * <p>Elements come in the order of the patch, and what only the original has keeps its place between them as well as both
 * orders allow.
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
        return objects(nodes(original), patch, mergeKey);
    }

    private ArrayNode values(ArrayNode original, ArrayNode patch, boolean deletion) {
        List<JsonNode> current = nodes(original);
        if (deletion) {
            current.removeAll(nodes(patch));
            return array(current);
        }
        List<JsonNode> both = new ArrayList<>(current);
        both.addAll(nodes(patch));
        return ordered(array(both.stream().distinct().toList()), patch, original, Json.array());
    }

    private ArrayNode objects(List<JsonNode> original, ArrayNode patch, String key) {
        List<JsonNode> merged = original;
        List<JsonNode> changes = new ArrayList<>();
        boolean replace = false;
        for (JsonNode change : patch) {
            JsonNode directive = change.get(StrategicMergePatch.DIRECTIVE);
            if (directive == null) {
                changes.add(change);
            } else {
                replace |= isReplacement(merged, (ObjectNode) change, directive, key);
            }
        }
        if (replace) {
            return ordered(array(changes), Json.array(), array(changes), Json.array());
        }
        ArrayNode before = array(List.copyOf(merged));
        for (JsonNode change : changes) {
            JsonNode keyValue = keyOf(change, key);
            int index = indexOf(merged, keyValue);
            if (index < 0) {
                merged.add(change);
            } else {
                merged.set(index, patches.map((ObjectNode) merged.get(index), (ObjectNode) change, element));
            }
        }
        return ordered(array(merged), array(changes), before, Json.array());
    }

    /** Carries a directive out; true if it says that the patch replaces everything. */
    private boolean isReplacement(List<JsonNode> merged, ObjectNode change, JsonNode directive, String key) {
        return switch (directive.asString("")) {
            case "delete" -> {
                JsonNode keyValue = keyOf(change, key);
                merged.removeIf(current -> keyValue.equals(current.get(key)));
                yield false;
            }
            case "replace" -> true;
            case "merge" -> throw StrategicMergePatch.invalid("merging lists cannot yet be specified in the patch");
            default -> throw StrategicMergePatch.badDirective(directive, change);
        };
    }

    /**
     * The elements so that those that an order names follow it, the others that of the original.
     *
     * @param patch what else has to be of the same type as the elements of the original
     */
    ArrayNode ordered(ArrayNode merged, ArrayNode order, ArrayNode original, ArrayNode patch) {
        elementType(original, patch, merged);
        List<JsonNode> wanted = nodes(order);
        List<JsonNode> fromPatch = new ArrayList<>();
        List<JsonNode> fromOriginal = new ArrayList<>();
        for (JsonNode one : merged) {
            (indexOf(wanted, identity(one)) >= 0 ? fromPatch : fromOriginal).add(one);
        }
        wanted.forEach(this::identity);
        List<JsonNode> originals = nodes(original);
        sort(fromPatch, wanted);
        sort(fromOriginal, originals);
        return array(interleaved(fromOriginal, fromPatch, originals));
    }

    /** Insertion, as Go's stable sort of few elements: what the order does not name goes before what it names. */
    private void sort(List<JsonNode> list, List<JsonNode> order) {
        for (int i = 1; i < list.size(); i++) {
            for (int j = i; j > 0 && isBefore(list.get(j), list.get(j - 1), order); j--) {
                Collections.swap(list, j, j - 1);
            }
        }
    }

    private boolean isBefore(JsonNode one, JsonNode other, List<JsonNode> order) {
        int index = indexOf(order, identity(one));
        int otherIndex = indexOf(order, identity(other));
        return index < 0 || otherIndex < 0 || index < otherIndex;
    }

    private List<JsonNode> interleaved(List<JsonNode> left, List<JsonNode> right, List<JsonNode> order) {
        List<JsonNode> all = new ArrayList<>(left.size() + right.size());
        int taken = 0;
        for (JsonNode one : right) {
            int index = indexOf(order, identity(one));
            while (taken < left.size() && index >= 0 && isInFront(left.get(taken), index, order)) {
                all.add(left.get(taken++));
            }
            all.add(one);
        }
        all.addAll(left.subList(taken, left.size()));
        return all;
    }

    private boolean isInFront(JsonNode one, int index, List<JsonNode> order) {
        int own = indexOf(order, identity(one));
        return own >= 0 && own < index;
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

    private JsonNode identity(JsonNode one) {
        return mergeKey == null ? one : keyOf(one, mergeKey);
    }

    private int indexOf(List<JsonNode> list, JsonNode identity) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode other = mergeKey == null ? list.get(i) : list.get(i).get(mergeKey);
            if (identity.equals(other)) {
                return i;
            }
        }
        return -1;
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

    private static List<JsonNode> nodes(ArrayNode array) {
        return new ArrayList<>(array.values());
    }

    private static ArrayNode array(List<? extends JsonNode> nodes) {
        return Json.array().addAll(nodes);
    }
}
