package io.fairlead.hosted.serve;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.hosted.object.TypedDecoder;
import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The codec of kinds that Go knows as structs, which have one version here. */
public final class TypedCodec implements Codec {
    private final ResourceType type;
    private final TypedDecoder decoder;

    public TypedCodec(ResourceType type, JsonNode schema) {
        this.type = type;
        this.decoder = new TypedDecoder(type.kind(), schema);
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        List<String> unknown = new ArrayList<>();
        try {
            ObjectNode object = decoder.decode(sent, unknown);
            return new Decoded(
                    object,
                    unknown.stream()
                            .map(path -> "unknown field \"" + path + "\"")
                            .toList());
        } catch (TypedDecoder.Mismatch e) {
            throw Refusals.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": " + e.getMessage());
        }
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
}
