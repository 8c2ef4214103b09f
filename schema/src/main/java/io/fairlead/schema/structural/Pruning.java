package io.fairlead.schema.structural;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes from one object the members that its schema does not know ({@code schema/pruning/algorithm.go}).
 *
 * <p>apiVersion, kind and metadata of resources, embedded ones too, are left alone. Where unknown fields are preserved,
 * members below declared ones are still pruned.
 */
final class Pruning {
    private static final Set<String> META_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final List<String> unknownFields = new ArrayList<>();

    private Pruning() {}

    /**
     * Prunes in place and returns the sorted paths of the removed fields; a root's own meta fields are never reported.
     */
    static List<String> prune(JsonNode object, JsonSchema schema) {
        Pruning pruning = new Pruning();
        pruning.prune(object, schema, "");
        Collections.sort(pruning.unknownFields);
        return pruning.unknownFields;
    }

    private void prune(JsonNode node, @Nullable JsonSchema schema, String path) {
        if (schema != null && schema.preserveUnknownFields) {
            pruneDeclared(node, schema, path);
            return;
        }
        switch (node) {
            case ObjectNode object -> pruneObject(object, schema, path);
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    prune(array.get(i), schema == null ? null : schema.items, path + "[" + i + "]");
                }
            }
            default -> {}
        }
    }

    private void pruneObject(ObjectNode object, @Nullable JsonSchema schema, String path) {
        for (String name : List.copyOf(object.propertyNames())) {
            String memberPath = joined(path, name);
            if (schema != null && schema.embeddedResource && META_FIELDS.contains(name)) {
                continue;
            }
            if (schema != null && schema.properties.containsKey(name)) {
                prune(object.get(name), schema.properties.get(name), memberPath);
            } else if (schema != null && schema.additionalProperties.given()) {
                prune(object.get(name), schema.additionalProperties.schema(), memberPath);
            } else {
                object.remove(name);
                if (schema == null || !META_FIELDS.contains(name) || !path.isEmpty()) {
                    unknownFields.add(memberPath);
                }
            }
        }
    }

    private void pruneDeclared(JsonNode node, @Nullable JsonSchema schema, String path) {
        if (schema == null) {
            return;
        }
        switch (node) {
            case ObjectNode object -> pruneDeclaredMembers(object, schema, path);
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    pruneDeclared(array.get(i), schema.items, path + "[" + i + "]");
                }
            }
            default -> {}
        }
    }

    private void pruneDeclaredMembers(ObjectNode object, JsonSchema schema, String path) {
        for (String name : List.copyOf(object.propertyNames())) {
            if (schema.embeddedResource && META_FIELDS.contains(name)) {
                continue;
            }
            if (schema.properties.containsKey(name)) {
                prune(object.get(name), schema.properties.get(name), joined(path, name));
            } else if (schema.additionalProperties.given()) {
                prune(object.get(name), schema.additionalProperties.schema(), joined(path, name));
            }
        }
    }

    private static String joined(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
