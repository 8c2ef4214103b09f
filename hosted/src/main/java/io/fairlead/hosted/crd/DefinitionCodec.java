package io.fairlead.hosted.crd;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.TypedCodec;
import io.fairlead.model.Status;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The codec of CustomResourceDefinitions. */
public final class DefinitionCodec implements Codec {
    private static final String API_VERSION = "apiextensions.k8s.io/v1";
    private static final String KIND = "CustomResourceDefinition";
    private static final Struct TYPE = Objects.requireNonNull(ApiTypes.ofKind(API_VERSION, KIND));

    @Override
    public Struct goType() {
        return TYPE;
    }

    @Override
    public Decoded convert(ObjectNode tree) {
        Decoded converted = TypedCodec.converted(TYPE, API_VERSION, KIND, tree);
        return new Decoded(decode(converted.object()).object(), converted.unknownFields());
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        CustomResourceDefinition.Reading reading = CustomResourceDefinition.read(sent);
        CustomResourceDefinition definition = reading.definition();
        if (definition == null) {
            throw Refusals.badRequest("CustomResourceDefinition in version \"v1\" cannot be handled as a"
                    + " CustomResourceDefinition: " + reading.problem());
        }
        List<String> unknown = reading.unknownFields().stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        return new Decoded(definition.tree().deepCopy(), unknown);
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

    /** The rules are in {@link DefinitionKind}. */
    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return List.of();
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        return version.equals(API_VERSION) ? TYPE.managed() : null;
    }

    @Override
    public ObjectNode empty() {
        ObjectNode empty = Json.object().put("kind", KIND).put("apiVersion", API_VERSION);
        return TypedDecoder.decode(TYPE, empty, "", false).tree();
    }

    @Override
    public boolean itemsNameKind() {
        return false;
    }
}
