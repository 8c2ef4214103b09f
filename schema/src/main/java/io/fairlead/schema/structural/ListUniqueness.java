package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds equal elements of sets and equal keys of list maps ({@code schema/listtype/validation.go}). */
final class ListUniqueness {
    private ListUniqueness() {}

    static void check(JsonNode node, JsonSchema schema, FieldPath path, FieldErrors errors) {
        switch (node) {
            case ObjectNode object -> checkObject(object, schema, path, errors);
            case ArrayNode array -> checkArray(array, schema, path, errors);
            default -> {}
        }
    }

    private static void checkObject(ObjectNode object, JsonSchema schema, FieldPath path, FieldErrors errors) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonSchema additional = schema.additionalProperties.schema();
            if (additional != null) {
                check(member.getValue(), additional, path.key(member.getKey()), errors);
            }
            JsonSchema property = schema.properties.get(member.getKey());
            if (property != null) {
                check(member.getValue(), property, path.child(member.getKey()), errors);
            }
        }
    }

    private static void checkArray(ArrayNode array, JsonSchema schema, FieldPath path, FieldErrors errors) {
        switch (schema.listType) {
            case "set" -> duplicates(List.copyOf(array.values()), path, errors);
            case "map" -> checkMap(array, schema.listMapKeys, path, errors);
            default -> {}
        }
        if (schema.items != null) {
            for (int i = 0; i < array.size(); i++) {
                check(array.get(i), schema.items, path.index(i), errors);
            }
        }
    }

    private static void checkMap(ArrayNode array, List<String> keys, FieldPath path, FieldErrors errors) {
        List<JsonNode> elementKeys = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            JsonNode element = array.get(i);
            if (!element.isObject() && !element.isNull()) {
                errors.invalid(path.index(i), element, "must be an object for an array of list-type map");
                return;
            }
            elementKeys.add(keyOf(element, keys));
        }
        duplicates(elementKeys, path, errors);
    }

    private static ObjectNode keyOf(JsonNode element, List<String> keys) {
        ObjectNode key = Json.object();
        for (String name : keys) {
            JsonNode value = element.get(name);
            if (value != null) {
                key.set(name, value);
            }
        }
        return key;
    }

    /** The second occurrence of each value is reported, further ones are not. */
    private static void duplicates(List<JsonNode> values, FieldPath path, FieldErrors errors) {
        Map<JsonKey, Integer> seen = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            if (seen.merge(new JsonKey(values.get(i)), 1, Integer::sum) == 2) {
                errors.duplicate(path.index(i), values.get(i));
            }
        }
    }
}
