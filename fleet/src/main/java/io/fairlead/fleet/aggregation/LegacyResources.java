package io.fairlead.fleet.aggregation;

import io.fairlead.schema.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An {@code APIResourceList} of meta/v1 as resources of aggregated discovery, for backends that have no aggregated discovery
 * (kube-aggregator {@code pkg/apiserver/handler_discovery.go}, {@code convertToDiscoveryAPIGroup}).
 */
final class LegacyResources {
    private LegacyResources() {}

    static List<JsonNode> of(JsonNode list) {
        Map<String, ObjectNode> resources = new LinkedHashMap<>();
        for (JsonNode resource : list.path("resources")) {
            String name = resource.path("name").asString("");
            int slash = name.indexOf('/');
            if (slash < 0) {
                resources.put(name, resource(resource, name));
            }
        }
        for (JsonNode resource : list.path("resources")) {
            String name = resource.path("name").asString("");
            int slash = name.indexOf('/');
            ObjectNode of = slash < 0 ? null : resources.get(name.substring(0, slash));
            if (of != null) {
                ObjectNode subresource = Json.object().put("subresource", name.substring(slash + 1));
                subresource.set("responseKind", kind(resource));
                subresource.set("verbs", resource.path("verbs"));
                of.withArrayProperty("subresources").add(subresource);
            }
        }
        return List.copyOf(resources.values());
    }

    private static ObjectNode resource(JsonNode resource, String name) {
        ObjectNode node = Json.object().put("resource", name);
        node.set("responseKind", kind(resource));
        node.put("scope", resource.path("namespaced").asBoolean(false) ? "Namespaced" : "Cluster");
        node.put("singularResource", resource.path("singularName").asString(""));
        for (String field : List.of("verbs", "shortNames", "categories")) {
            if (resource.path(field).isArray()) {
                node.set(field, resource.path(field));
            }
        }
        return node;
    }

    /** A group and a version that are not said are those of the list. */
    private static ObjectNode kind(JsonNode resource) {
        return Json.object()
                .put("group", resource.path("group").asString(""))
                .put("version", resource.path("version").asString(""))
                .put("kind", resource.path("kind").asString(""));
    }
}
