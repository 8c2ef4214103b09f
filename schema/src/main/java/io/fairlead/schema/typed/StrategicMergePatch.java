package io.fairlead.schema.typed;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Patch;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategic merge patch of objects of known types (apimachinery {@code util/strategicpatch}): objects are merged, lists
 * by the merge key of their type, and directives in the patch ({@code $patch}, {@code $retainKeys},
 * {@code $setElementOrder/…}, {@code $deleteFromPrimitiveList/…}) say what merging cannot.
 */
public final class StrategicMergePatch {
    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String ORDER = "$setElementOrder";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList";

    private StrategicMergePatch() {}

    /**
     * The target with the patch merged in; neither is changed. The result may hold fields that the type does not know.
     *
     * @throws StatusException 400 for a directive of a wrong form, 422 for a patch that does not fit the type
     */
    public static ObjectNode apply(Struct type, ObjectNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode members)) {
            throw new StatusException(Status.badRequest(
                    "json: cannot unmarshal " + jsonKind(patch) + " into Go value of type map[string]interface {}"));
        }
        return new StrategicMergePatch().map(target.deepCopy(), members.deepCopy(), type);
    }

    private static String jsonKind(JsonNode patch) {
        return patch.isBoolean() ? "bool" : patch.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    /** Merges a patch, which is used up, into an object, which may be the result. */
    ObjectNode map(ObjectNode original, ObjectNode patch, GoType type) {
        JsonNode directive = patch.get(DIRECTIVE);
        if (directive != null) {
            return replacement(directive, patch);
        }
        retainKeys(original, patch);
        orderedLists(original, patch, type);
        for (Map.Entry<String, JsonNode> member : List.copyOf(patch.properties())) {
            member(original, member.getKey(), member.getValue(), type);
        }
        return original;
    }

    private static ObjectNode replacement(JsonNode directive, ObjectNode patch) {
        return switch (directive.asString("")) {
            case "replace" -> {
                patch.remove(DIRECTIVE);
                yield patch;
            }
            case "delete" -> Json.object();
            default -> throw badDirective(directive, patch);
        };
    }

    private void member(ObjectNode original, String name, JsonNode value, GoType type) {
        boolean deletion = name.startsWith(DELETE_PRIMITIVES);
        String key = deletion ? listOf(name, DELETE_PRIMITIVES, "primitive list") : name;
        if (value.isNull()) {
            original.remove(key);
            return;
        }
        JsonNode current = original.get(key);
        if (current instanceof ObjectNode object && value instanceof ObjectNode patch) {
            Looked looked = Looked.up(type, key);
            original.set(key, looked.is("replace") ? patch : map(object, patch, looked.type));
        } else if (current instanceof ArrayNode list && value instanceof ArrayNode patch) {
            Looked looked = Looked.up(type, key).element();
            original.set(key, list(list, patch, looked, deletion));
        } else if (!deletion) {
            put(original, key, value);
        }
    }

    /** Takes the value of a patch where there is nothing to merge it into. */
    private static void put(ObjectNode original, String key, JsonNode value) {
        dropNulls(value);
        JsonNode kept = withoutDirectives(value);
        if (kept == null) {
            original.remove(key);
        } else {
            original.set(key, kept);
        }
    }

    private ArrayNode list(ArrayNode original, ArrayNode patch, Looked field, boolean deletion) {
        return field.is("merge") || deletion
                ? new MergedList(this, field.type, field.patch.mergeKey()).merge(original, patch, deletion)
                : patch;
    }

    /** Clears what the directive does not name; the patch itself may say nothing else. */
    private static void retainKeys(ObjectNode original, ObjectNode patch) {
        JsonNode directive = patch.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!directive.isArray()) {
            throw badFormat("retainKeys");
        }
        Set<String> retained = new HashSet<>();
        directive.forEach(key -> retained.add(key.asString("")));
        for (Map.Entry<String, JsonNode> member : patch.properties()) {
            String name = member.getKey();
            boolean parallel = name.startsWith(DELETE_PRIMITIVES) || name.startsWith(ORDER);
            if (!member.getValue().isNull() && !parallel && !retained.contains(name)) {
                throw badFormat("retainKeys");
            }
        }
        original.propertyNames().stream()
                .filter(name -> !retained.contains(name))
                .toList()
                .forEach(original::remove);
    }

    private void orderedLists(ObjectNode original, ObjectNode patch, GoType type) {
        for (String name : List.copyOf(patch.propertyNames())) {
            if (name.startsWith(ORDER)) {
                orderedList(original, patch, name, type);
            }
        }
    }

    /** Merges one list together with the order that its elements shall have. */
    private void orderedList(ObjectNode original, ObjectNode patch, String name, GoType type) {
        ArrayNode order = array(patch.remove(name));
        String key = listOf(name, ORDER, "setElementOrder list");
        ArrayNode current = original.has(key) ? array(original.get(key)) : null;
        ArrayNode patched = patch.has(key) ? array(patch.get(key)) : null;
        Looked field = Looked.up(type, key).element();
        MergedList list = new MergedList(this, field.type, field.patch.mergeKey());
        list.requireOrder(patched == null ? Json.array() : patched, order);
        if (current == null && patched == null) {
            return;
        }
        ArrayNode before = current == null ? Json.array() : current;
        ArrayNode merged;
        if (patched == null) {
            merged = before;
        } else if (current == null) {
            merged = (ArrayNode) withoutDirectivesInside(patched);
        } else {
            merged = list(before.deepCopy(), patched, field, false);
        }
        original.set(key, list.ordered(merged, order, before));
        patch.remove(key);
    }

    private static ArrayNode array(@Nullable JsonNode node) {
        if (node instanceof ArrayNode array) {
            return array;
        }
        throw invalid("expected a []interface {}, but received a " + (node == null ? "nil" : GoText.kind(node)));
    }

    private static String listOf(String name, String prefix, String what) {
        if (!name.startsWith(prefix + "/")) {
            throw badFormat(what);
        }
        return name.substring(prefix.length() + 1);
    }

    private static void dropNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        value.forEach(StrategicMergePatch::dropNulls);
    }

    /** The value without objects that carry a directive; null if it is one itself. */
    private static @Nullable JsonNode withoutDirectives(JsonNode value) {
        return value.has(DIRECTIVE) ? null : withoutDirectivesInside(value);
    }

    private static JsonNode withoutDirectivesInside(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.removeIf(member -> member.has(DIRECTIVE));
        } else if (value instanceof ArrayNode array) {
            List<JsonNode> kept = new ArrayList<>();
            array.forEach(element -> {
                if (!element.has(DIRECTIVE)) {
                    kept.add(element);
                }
            });
            array.removeAll();
            array.addAll(kept);
        }
        value.forEach(StrategicMergePatch::withoutDirectivesInside);
        return value;
    }

    static StatusException badDirective(JsonNode directive, ObjectNode patch) {
        return invalid("unknown patch type: " + GoText.plain(directive) + " in map: " + GoText.plain(patch));
    }

    private static StatusException badFormat(String what) {
        return new StatusException(Status.badRequest("invalid patch format of " + what));
    }

    /** What kube-apiserver answers as a fault of its own, though the patch is at fault. */
    static StatusException invalid(String problem) {
        return new StatusException(Status.of(422, "Invalid", problem));
    }

    /**
     * What the type says of a field.
     *
     * @param type the type of the field, or of its elements
     */
    private record Looked(String name, GoType type, Patch patch) {
        static Looked up(GoType type, String name) {
            if (!(type instanceof Struct struct)) {
                throw invalid("merging an object in json but data type is not struct, instead is: "
                        + (type instanceof MapOf ? "map" : type.goName()));
            }
            Field field = struct.field(name);
            if (field == null) {
                throw invalid("unable to find api field in struct "
                        + struct.goName().substring(struct.goName().indexOf('.') + 1) + " for the json field "
                        + GoText.quote(name));
            }
            return new Looked(name, field.type(), field.patch());
        }

        Looked element() {
            if (type instanceof ListOf list) {
                return new Looked(name, list.element(), patch);
            }
            throw invalid("expected slice or array type, but got: " + type.goName() + " in field " + name);
        }

        boolean is(String strategy) {
            return patch.strategies().contains(strategy);
        }
    }
}
