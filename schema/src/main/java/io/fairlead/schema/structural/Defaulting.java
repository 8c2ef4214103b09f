package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills in the defaults of a schema ({@code schema/defaulting}), as long as they do not make the object too large: a long default for
 * each element of a long list would fill the heap.
 */
final class Defaulting {
    /** What all defaults may add to one object, as it is held: long strings of eight million characters, or 130,000 numbers. */
    static final long BYTES_MAX = 16L * 1024 * 1024;

    private long bytesLeft = BYTES_MAX;

    private Defaulting() {}

    /**
     * Fills in place: first nulls that are neither allowed nor defaulted are removed, then every missing member with a
     * default gets it, and every null that is not allowed is replaced by its default.
     *
     * @return whether all defaults were filled in; the rest is left out if they are too long together
     */
    static boolean apply(JsonNode object, JsonSchema schema) {
        dropNulls(object, schema);
        return fill(object, schema);
    }

    /**
     * As {@link #apply}, but nulls that are neither allowed nor defaulted stay, to be refused by validation.
     */
    static boolean fill(JsonNode object, JsonSchema schema) {
        var defaulting = new Defaulting();
        defaulting.fillNode(object, schema);
        return defaulting.bytesLeft >= 0;
    }

    /** Removes, in place, the nulls that are neither allowed nor defaulted. */
    static void dropNulls(JsonNode node, @Nullable JsonSchema schema) {
        switch (node) {
            case ObjectNode object -> {
                for (String name : List.copyOf(object.propertyNames())) {
                    JsonSchema member = schema == null ? null : schema.member(name);
                    JsonNode value = object.get(name);
                    if (member != null && member.defaultValue == null && isForbiddenNull(value, member)) {
                        object.remove(name);
                    } else {
                        dropNulls(value, member);
                    }
                }
            }
            case ArrayNode array -> array.forEach(element -> dropNulls(element, schema == null ? null : schema.items));
            default -> {}
        }
    }

    private void fillNode(JsonNode node, @Nullable JsonSchema schema) {
        if (schema == null || bytesLeft < 0) {
            return;
        }
        switch (node) {
            case ObjectNode object -> fillObject(object, schema);
            case ArrayNode array -> fillArray(array, schema.items);
            default -> {}
        }
    }

    private void fillObject(ObjectNode object, JsonSchema schema) {
        for (Map.Entry<String, JsonSchema> property : schema.defaulted.entrySet()) {
            String name = property.getKey();
            JsonNode value = object.get(name);
            if ((value == null || isForbiddenNull(value, property.getValue())) && take(name, property.getValue())) {
                object.set(name, defaultOf(property.getValue()));
            }
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonSchema memberSchema = schema.member(member.getKey());
            if (!schema.properties.containsKey(member.getKey()) && isForbiddenNull(member.getValue(), memberSchema)) {
                member.setValue(defaultOrNull(memberSchema));
            }
            fillNode(member.getValue(), memberSchema);
        }
    }

    private void fillArray(ArrayNode array, @Nullable JsonSchema items) {
        for (int i = 0; i < array.size(); i++) {
            if (isForbiddenNull(array.get(i), items)) {
                array.set(i, defaultOrNull(items));
            }
            fillNode(array.get(i), items);
        }
    }

    private JsonNode defaultOrNull(@Nullable JsonSchema schema) {
        return schema == null || schema.defaultValue == null || !take("", schema)
                ? Json.nodes().nullNode()
                : defaultOf(schema);
    }

    private boolean take(String name, JsonSchema schema) {
        bytesLeft -= TreeSize.ofName(name) + schema.defaultBytes;
        return bytesLeft >= 0;
    }

    private static JsonNode defaultOf(JsonSchema schema) {
        return Objects.requireNonNull(schema.defaultValue).deepCopy();
    }

    private static boolean isForbiddenNull(JsonNode value, @Nullable JsonSchema schema) {
        return value.isNull() && schema != null && !schema.nullable;
    }
}
