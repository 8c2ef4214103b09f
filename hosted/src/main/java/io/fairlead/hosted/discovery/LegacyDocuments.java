package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ResourceType;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Discovery with one document per path: {@code APIVersions}, {@code APIGroupList}, {@code APIGroup}, {@code APIResourceList} of meta/v1. */
final class LegacyDocuments {
    private LegacyDocuments() {}

    /** {@code /api}. */
    static ObjectNode apiVersions(ApiSurface surface) {
        ObjectNode document = Json.object().put("kind", "APIVersions");
        ArrayNode versions = document.putArray("versions");
        surface.versions("").keySet().forEach(versions::add);
        document.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", "");
        return document;
    }

    /** {@code /apis}. */
    static ObjectNode groupList(ApiSurface surface) {
        ObjectNode document = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = document.putArray("groups");
        surface.namedGroups().forEach(group -> fillGroup(groups.addObject(), surface, group));
        return document;
    }

    /** {@code /apis/GROUP}; null if the group is not served. */
    static @Nullable ObjectNode group(ApiSurface surface, String group) {
        if (group.isEmpty() || surface.versions(group).isEmpty()) {
            return null;
        }
        ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        return fillGroup(document, surface, group);
    }

    private static ObjectNode fillGroup(ObjectNode node, ApiSurface surface, String group) {
        node.put("name", group);
        List<String> versions = List.copyOf(surface.versions(group).keySet());
        ArrayNode array = node.putArray("versions");
        versions.forEach(version -> fillVersion(array.addObject(), group, version));
        fillVersion(node.putObject("preferredVersion"), group, versions.getFirst());
        return node;
    }

    private static void fillVersion(ObjectNode node, String group, String version) {
        node.put("groupVersion", new GroupVersion(group, version).apiVersion()).put("version", version);
    }

    /** {@code /api/VERSION} and {@code /apis/GROUP/VERSION}; null if the version is not served. */
    static @Nullable ObjectNode resourceList(ApiSurface surface, String group, String version) {
        List<ResourceType> types = surface.resources(group, version);
        if (types == null) {
            return null;
        }
        ObjectNode document = Json.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", new GroupVersion(group, version).apiVersion());
        if (group.isEmpty()) {
            document.remove("apiVersion"); // as in kube-apiserver, for clients older than API groups
        }
        ArrayNode resources = document.putArray("resources");
        types.forEach(type -> addResource(resources, type));
        return document;
    }

    private static void addResource(ArrayNode resources, ResourceType type) {
        ObjectNode node = resources
                .addObject()
                .put("name", type.plural())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced())
                .put("kind", type.kind());
        putTexts(node, "verbs", type.verbs());
        putUnlessEmpty(node, "shortNames", type.shortNames());
        putUnlessEmpty(node, "categories", type.categories());
        if (type.verbs().contains("get")) {
            node.put("storageVersionHash", Digests.storageVersionHash(type));
        }
        for (Subresource subresource : Subresource.of(type)) {
            addSubresource(resources, type, subresource);
        }
    }

    private static void addSubresource(ArrayNode resources, ResourceType type, Subresource subresource) {
        ObjectNode node = resources
                .addObject()
                .put("name", type.plural() + "/" + subresource.name())
                .put("singularName", "")
                .put("namespaced", type.namespaced());
        if (!subresource.ofOwnKind(type)) {
            node.put("group", subresource.group()).put("version", subresource.version());
        }
        putTexts(node.put("kind", subresource.kind()), "verbs", subresource.verbs());
    }

    static void putUnlessEmpty(ObjectNode node, String field, List<String> values) {
        if (!values.isEmpty()) {
            putTexts(node, field, values);
        }
    }

    static void putTexts(ObjectNode node, String field, List<String> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
    }
}
