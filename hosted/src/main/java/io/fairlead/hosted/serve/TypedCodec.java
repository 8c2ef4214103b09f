package io.fairlead.hosted.serve;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The codec of kinds that Go knows as structs, which have one version here. */
public final class TypedCodec implements Codec {
    private final ResourceType type;
    private final GoType.Struct goType;
    /** The maps of bytes, whose values are base64. */
    private final List<String> byteMaps;

    public TypedCodec(ResourceType type, JsonNode schema) {
        this.type = type;
        this.goType = GoTypes.ofKind(type.kind(), schema);
        this.byteMaps = schema.path("properties")
                .propertyStream()
                .filter(property -> property.getValue()
                        .at("/additionalProperties/format")
                        .asString("")
                        .equals("byte"))
                .map(property -> property.getKey())
                .toList();
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(goType, sent, "", false);
        if (decoded.problem() != null) {
            throw undecodable(decoded.problem());
        }
        byteMaps.forEach(map -> decoded.tree().path(map).values().forEach(value -> checkBase64(value.asString(""))));
        return new Decoded(
                decoded.tree(),
                decoded.unknownFields().stream()
                        .map(path -> "unknown field \"" + path + "\"")
                        .toList());
    }

    @Override
    public ObjectNode fromStore(byte[] value) {
        return (ObjectNode) Json.read(value);
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        ObjectNode stored = object.deepCopy();
        Meta.of(stored).remove("resourceVersion");
        return Json.write(stored);
    }

    @Override
    public boolean itemsNameKind() {
        return false;
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return List.of();
    }

    private void checkBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw undecodable("illegal base64 data at input byte " + firstIllegal(text));
        }
    }

    /** Where Go's decoder would stop: at the first character outside of the alphabet, or in the last, short group. */
    private static int firstIllegal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letter && c != '+' && c != '/') {
                return i;
            }
        }
        return text.length() / 4 * 4;
    }

    private RuntimeException undecodable(String problem) {
        return Refusals.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                + type.kind() + ": " + problem);
    }
}
