package io.fairlead.hosted.openapi;

import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.JsonResources;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of meta/v1, with short descriptions of ours. */
final class MetaSchemas {
    private static final String RESOURCE = "meta-schemas.json";
    private static final String PREFIX = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final String DELETE_OPTIONS = "DeleteOptions";
    private static final GroupVersion CORE = new GroupVersion("", "v1");
    private static final ObjectNode ALL = readAll();

    private MetaSchemas() {}

    /** Adds all of them to the schemas of a document of one version, of which the options of deletions are, too. */
    static void addTo(ObjectNode schemas, GroupVersion version) {
        for (Map.Entry<String, JsonNode> schema : ALL.properties()) {
            schemas.set(PREFIX + schema.getKey(), schema.getValue());
        }
        ObjectNode options = (ObjectNode) ALL.path(DELETE_OPTIONS).deepCopy();
        ArrayNode kinds = options.putArray(Schemas.GROUP_VERSION_KIND);
        kinds.add(Schemas.groupVersionKind(CORE, DELETE_OPTIONS));
        if (!version.equals(CORE)) {
            kinds.add(Schemas.groupVersionKind(version, DELETE_OPTIONS));
        }
        schemas.set(PREFIX + DELETE_OPTIONS, options);
    }

    /** The value of {@code $ref} for one of them. */
    static String ref(String name) {
        return Schemas.ref(PREFIX + name);
    }

    private static ObjectNode readAll() {
        ObjectNode all = (ObjectNode) JsonResources.read(MetaSchemas.class, RESOURCE);
        completeReferences(all);
        return all;
    }

    /** A description may accompany {@code allOf}, but not a bare {@code $ref}. */
    private static void completeReferences(JsonNode node) {
        node.forEach(MetaSchemas::completeReferences);
        if (node instanceof ObjectNode object && object.path("$ref").isString()) {
            String reference = ref(object.path("$ref").asString());
            object.remove("$ref");
            if (object.isEmpty()) {
                object.put("$ref", reference);
            } else {
                object.putArray("allOf").addObject().put("$ref", reference);
            }
        }
    }
}
