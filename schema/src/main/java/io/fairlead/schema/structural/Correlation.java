package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import io.fairlead.schema.text.Effort;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value together with the one it replaces, where they correspond (KEP-4008): members by name, elements of list maps
 * by key, elements of other lists not at all.
 */
final class Correlation {
    private final JsonNode old;
    private final JsonSchema schema;
    private @Nullable Map<JsonKey, JsonNode> oldElements;

    Correlation(JsonNode old, JsonSchema schema) {
        this.old = old;
        this.schema = schema;
    }

    boolean isUnchanged(JsonNode value, Effort effort) {
        effort.spend(JsonSchema.nodes(value));
        return old.equals(value);
    }

    /** The correlation of a member, null if there is none. */
    @Nullable
    Correlation member(String name) {
        JsonNode oldMember = old.get(name);
        JsonSchema memberSchema = schema.member(name);
        return !(old instanceof ObjectNode) || oldMember == null || memberSchema == null
                ? null
                : new Correlation(oldMember, memberSchema);
    }

    /** The correlation of an element, null if there is none. */
    @Nullable
    Correlation element(JsonNode element) {
        if (!(old instanceof ArrayNode) || !schema.listType.equals("map") || schema.items == null) {
            return null;
        }
        JsonNode oldElement = oldElements().get(key(element, schema.listMapKeys));
        return oldElement == null ? null : new Correlation(oldElement, schema.items);
    }

    /** The element of a list map that an element replaces, null if there is none. */
    @Nullable
    JsonNode oldElement(JsonNode element) {
        boolean keyed = old instanceof ArrayNode && schema.listType.equals("map");
        return keyed ? oldElements().get(key(element, schema.listMapKeys)) : null;
    }

    private Map<JsonKey, JsonNode> oldElements() {
        Map<JsonKey, JsonNode> elements = oldElements;
        if (elements == null) {
            elements = new HashMap<>();
            for (JsonNode element : old.values()) {
                elements.putIfAbsent(key(element, schema.listMapKeys), element);
            }
            oldElements = elements;
        }
        return elements;
    }

    private static JsonKey key(JsonNode element, List<String> names) {
        ArrayNode key = Json.array();
        names.forEach(name ->
                key.add(element.path(name).isMissingNode() ? Json.nodes().nullNode() : element.get(name)));
        return new JsonKey(key);
    }
}
