package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.EmptyLists;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The codec of kinds that are Go structs, which have one version here. */
public final class TypedCodec implements Codec {
    private final ResourceType type;
    private final Struct goType;

    /** The codec of a kind in the table of Go's types. */
    public TypedCodec(ResourceType type) {
        this.type = type;
        String apiVersion = type.groupVersion().apiVersion();
        this.goType = Objects.requireNonNull(
                ApiTypes.ofKind(apiVersion, type.kind()),
                () -> "no Go type of kind " + type.kind() + " in " + apiVersion);
    }

    @Override
    public Struct goType() {
        return goType;
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(goType, sent, "", false);
        if (decoded.problem() != null) {
            throw Refusals.undecodable(type.kind(), type.version(), decoded.problem());
        }
        return decoded(decoded);
    }

    @Override
    public Decoded convert(ObjectNode tree) {
        return converted(goType, type.groupVersion().apiVersion(), type.kind(), tree);
    }

    /**
     * A tree as an object of a Go type.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be one, in the words of apimachinery ({@code runtime/scheme.go})
     */
    public static Decoded converted(Struct goType, String apiVersion, String kind, ObjectNode tree) {
        TypedDecoder.Decoded decoded = TypedDecoder.convert(goType, tree);
        if (decoded.problem() != null) {
            throw Refusals.badRequest("unable to convert unstructured object to "
                    + GoText.groupVersionKind(apiVersion, kind) + ": " + decoded.problem());
        }
        return decoded(decoded);
    }

    private static Decoded decoded(TypedDecoder.Decoded decoded) {
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
    public ObjectNode storable(ObjectNode object) {
        EmptyLists.forget(goType, object);
        return object;
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        ObjectNode stored = object.deepCopy();
        Meta.of(stored).remove("resourceVersion");
        return Json.write(stored);
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        return version.equals(type.groupVersion().apiVersion()) ? goType.managed() : null;
    }

    @Override
    public ObjectNode empty() {
        return decode(Json.object()
                        .put("kind", type.kind())
                        .put("apiVersion", type.groupVersion().apiVersion()))
                .object();
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
