package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in the defaults of a schema ({@code schema/defaulting}). */
final class Defaulting {
    private Defaulting() {}

    /**
     * Fills in place: first nulls that are neither allowed nor defaulted are removed, then every missing member with a
     * default gets it, and every null that is not allowed is replaced by its default.
     */
    static void apply(JsonNode object, JsonSchema schema) {
        dropNulls(object, schema);
        fill(object, schema);
    }

    private static void dropNulls(JsonNode node, @Nullable JsonSchema schema) {
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

    private static void fill(JsonNode node, @Nullable JsonSchema schema) {
        if (schema == null) {
            return;
        }
        switch (node) {
            case ObjectNode object -> fillObject(object, schema);
            case ArrayNode array -> fillArray(array, schema.items);
            default -> {}
        }
    }

    private static void fillObject(ObjectNode object, JsonSchema schema) {
        for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
            JsonNode defaultValue = property.getValue().defaultValue;
            JsonNode value = object.get(property.getKey());
            if (defaultValue != null && (value == null || isForbiddenNull(value, property.getValue()))) {
                object.set(property.getKey(), defaultValue.deepCopy());
            }
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonSchema memberSchema = schema.member(member.getKey());
            if (!schema.properties.containsKey(member.getKey()) && isForbiddenNull(member.getValue(), memberSchema)) {
                member.setValue(defaultOrNull(memberSchema));
            }
            fill(member.getValue(), memberSchema);
        }
    }

    private static void fillArray(ArrayNode array, @Nullable JsonSchema items) {
        for (int i = 0; i < array.size(); i++) {
            if (isForbiddenNull(array.get(i), items)) {
                array.set(i, defaultOrNull(items));
            }
            fill(array.get(i), items);
        }
    }

    private static JsonNode defaultOrNull(@Nullable JsonSchema schema) {
        return schema == null || schema.defaultValue == null ? Json.nodes().nullNode() : schema.defaultValue.deepCopy();
    }

    private static boolean isForbiddenNull(JsonNode value, @Nullable JsonSchema schema) {
        return value.isNull() && schema != null && !schema.nullable;
    }
}
