package io.fairlead.hosted.discovery;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ResourceType;
import io.fairlead.schema.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Discovery in one document: {@code APIGroupDiscoveryList} of apidiscovery.k8s.io/v2 (KEP-3352).
 *
 * <p>As in kube-apiserver the response kind of a built-in resource has its kind only; group and version are the
 * enclosing ones.
 */
final class AggregatedDocuments {
    private AggregatedDocuments() {}

    /** For {@code /api}: the core group. */
    static ObjectNode core(ApiSurface surface) {
        ObjectNode document = list();
        addGroup(document.putArray("items"), surface, "");
        return document;
    }

    /** For {@code /apis}: all other groups. */
    static ObjectNode named(ApiSurface surface) {
        ObjectNode document = list();
        ArrayNode items = document.putArray("items");
        surface.namedGroups().forEach(group -> addGroup(items, surface, group));
        return document;
    }

    private static ObjectNode list() {
        ObjectNode document =
                Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        document.putObject("metadata");
        return document;
    }

    private static void addGroup(ArrayNode items, ApiSurface surface, String group) {
        ObjectNode item = items.addObject();
        ObjectNode metadata = item.putObject("metadata");
        if (!group.isEmpty()) {
            metadata.put("name", group);
        }
        ArrayNode versions = item.putArray("versions");
        surface.versions(group).forEach((version, types) -> {
            AggregatedVersion ofBackend = surface.aggregated(group, version);
            if (ofBackend == null) {
                addVersion(versions, version, types);
            } else {
                addVersion(versions, ofBackend);
            }
        });
    }

    private static void addVersion(ArrayNode versions, AggregatedVersion ofBackend) {
        ObjectNode node =
                versions.addObject().put("version", ofBackend.groupVersion().version());
        if (!ofBackend.resources().isEmpty()) {
            node.putArray("resources").addAll(ofBackend.resources());
        }
        node.put("freshness", ofBackend.isCurrent() ? "Current" : "Stale");
    }

    private static void addVersion(ArrayNode versions, String version, List<ResourceType> types) {
        ObjectNode node = versions.addObject().put("version", version);
        ArrayNode resources = node.putArray("resources");
        types.forEach(type -> addResource(resources, type));
        node.put("freshness", "Current");
    }

    private static void addResource(ArrayNode resources, ResourceType type) {
        ObjectNode node = resources.addObject().put("resource", type.plural());
        putKind(node, type, type.group(), type.version(), type.kind());
        node.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        LegacyDocuments.putTexts(node, "verbs", type.verbs());
        LegacyDocuments.putUnlessEmpty(node, "shortNames", type.shortNames());
        LegacyDocuments.putUnlessEmpty(node, "categories", type.categories());
        List<Subresource> subresources = Subresource.of(type);
        if (!subresources.isEmpty()) {
            ArrayNode array = node.putArray("subresources");
            subresources.forEach(subresource -> addSubresource(array, type, subresource));
        }
    }

    private static void addSubresource(ArrayNode subresources, ResourceType type, Subresource subresource) {
        ObjectNode node = subresources.addObject().put("subresource", subresource.name());
        putKind(node, type, subresource.group(), subresource.version(), subresource.kind());
        LegacyDocuments.putTexts(node, "verbs", subresource.verbs());
    }

    private static void putKind(ObjectNode node, ResourceType type, String group, String version, String kind) {
        boolean implied = !type.custom() && group.equals(type.group()) && version.equals(type.version());
        node.putObject("responseKind")
                .put("group", implied ? "" : group)
                .put("version", implied ? "" : version)
                .put("kind", kind);
    }
}
