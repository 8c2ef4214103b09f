package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Objects as they are. */
record Whole(BodyFormat format, String contentType) implements Representation {
    @Override
    public String sharingKey() {
        return format.name();
    }

    @Override
    public ObjectNode object(ObjectNode object) {
        return object;
    }

    @Override
    public ListBody list(String apiVersion, String kind, boolean itemsNameKind) {
        return format.list(
                apiVersion,
                kind,
                "items",
                list -> list,
                itemsNameKind ? item -> item : item -> item.without(List.of("apiVersion", "kind")),
                false);
    }

    @Override
    public ObjectNode event(ObjectNode object, boolean first) {
        return object;
    }

    @Override
    public byte[] frame(String type, ObjectNode object) {
        return format.frame(type, object);
    }

    @Override
    public byte[] encode(ObjectNode body) {
        return format.encode(body);
    }
}
