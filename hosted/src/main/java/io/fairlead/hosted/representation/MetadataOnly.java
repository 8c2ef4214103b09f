package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.schema.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as PartialObjectMetadata.
 *
 * @param version the version of meta.k8s.io
 * @param asked the kind that was asked for: of one object or of a list
 */
record MetadataOnly(BodyFormat format, String contentType, String version, String asked) implements Representation {
    @Override
    public String sharingKey() {
        return "metadata " + version + " " + format;
    }

    @Override
    public ObjectNode object(ObjectNode object) {
        return isStatus(object) ? object : partial(object, version);
    }

    @Override
    public ListBody list(String apiVersion, String kind, boolean itemsNameKind) {
        return format.list(
                "meta.k8s.io/" + version,
                "PartialObjectMetadataList",
                "items",
                list -> Json.object()
                        .put("kind", "PartialObjectMetadataList")
                        .put("apiVersion", "meta.k8s.io/" + version)
                        .set("metadata", typed(list).path("metadata")),
                item -> partial(item, version),
                true);
    }

    @Override
    public ObjectNode event(ObjectNode object, boolean first) {
        return object(object);
    }

    @Override
    public byte[] frame(String type, ObjectNode object) {
        return format.frame(type, object);
    }

    @Override
    public byte[] encode(ObjectNode body) {
        return format.encode(body);
    }

    /** The list as a struct of Go's, which has no empty token. */
    static ObjectNode typed(ObjectNode list) {
        if (list.path("metadata") instanceof ObjectNode metadata
                && metadata.path("continue").asString("x").isEmpty()) {
            metadata.remove("continue");
        }
        return list;
    }

    static ObjectNode partial(JsonNode object, String version) {
        return Json.object()
                .put("kind", "PartialObjectMetadata")
                .put("apiVersion", "meta.k8s.io/" + version)
                .set("metadata", object.path("metadata"));
    }

    /** Failures and the answers of deletes are never transformed. */
    static boolean isStatus(ObjectNode object) {
        return object.path("kind").asString("").equals("Status")
                && object.path("apiVersion").asString("").equals("v1");
    }
}
