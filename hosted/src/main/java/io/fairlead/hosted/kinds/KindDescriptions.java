package io.fairlead.hosted.kinds;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.JsonResources;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what the resources of this room say of kinds. */
public final class KindDescriptions {
    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private KindDescriptions() {}

    /** The descriptions in a resource of a class. */
    public static List<JsonNode> read(Class<?> owner, String resource) {
        List<JsonNode> descriptions = new ArrayList<>();
        JsonResources.read(owner, resource).forEach(descriptions::add);
        return descriptions;
    }

    /** The resource that a description is of. */
    public static ResourceType type(JsonNode description, @Nullable ObjectNode schema) {
        String kind = description.path("kind").stringValue();
        String version = description.path("version").stringValue();
        return new ResourceType(
                description.path("group").asString(""),
                version,
                description.path("plural").stringValue(),
                description.path("singular").stringValue(),
                kind,
                kind + "List",
                Meta.strings(description.path("shortNames")),
                Meta.strings(description.path("categories")),
                description.path("namespaced").booleanValue(),
                description.has("verbs") ? Meta.strings(description.path("verbs")) : ALL_VERBS,
                new LinkedHashSet<>(Meta.strings(description.path("subresources"))),
                description.path("storageVersion").asString(version),
                false,
                schema,
                null);
    }
}
