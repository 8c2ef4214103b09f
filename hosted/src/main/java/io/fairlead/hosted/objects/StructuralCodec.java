package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.structural.SchemaTypes;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The codec of kinds that a structural schema describes: pruned and defaulted on request and on reading from storage,
 * converted between versions by their {@code apiVersion} alone.
 */
public final class StructuralCodec implements Codec {
    private final String apiVersion;
    private final String storedApiVersion;
    private final String kind;
    private final StructuralSchema schema;
    private final Function<String, @Nullable StructuralSchema> versions;

    /** @param versions the schemas of the other versions by their apiVersion; null for one that there is not */
    public StructuralCodec(
            ResourceType type, StructuralSchema schema, Function<String, @Nullable StructuralSchema> versions) {
        this.apiVersion = type.groupVersion().apiVersion();
        this.kind = type.kind();
        this.versions = versions;
        this.storedApiVersion = new GroupVersion(type.group(), type.storageVersion()).apiVersion();
        this.schema = schema;
    }

    /** The codec of a kind whose OpenAPI schema has not been decoded yet. */
    public static StructuralCodec of(ResourceType type, ObjectNode openApiSchema) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, openApiSchema, "", false);
        if (decoded.problem() != null) {
            throw new IllegalArgumentException("schema of " + type.kind() + ": " + decoded.problem());
        }
        return new StructuralCodec(type, StructuralSchema.of(decoded.tree()), _ -> null);
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        ObjectNode object = sent.deepCopy();
        StructuralSchema.Reading reading = schema.read(object, false);
        if (!reading.problems().isEmpty()) {
            FieldError first = reading.problems().list().getFirst();
            boolean isMetadata = first.field().equals("metadata");
            throw Refusals.badRequest(unreadable()
                    + (isMetadata ? first.detail() : reading.problems().message()));
        }
        return new Decoded(object, reading.messages());
    }

    private String unreadable() {
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        return kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": ";
    }

    @Override
    public ObjectNode fromStore(byte[] value) {
        ObjectNode object = (ObjectNode) Json.read(value);
        object.put("apiVersion", apiVersion);
        schema.read(object, true);
        return object;
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        ObjectNode stored = (ObjectNode) Json.sorted(object);
        stored.put("apiVersion", storedApiVersion);
        Meta.of(stored).remove("resourceVersion");
        return Json.write(stored);
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return Causes.of(old == null ? schema.validate(object) : schema.validateUpdate(object, old));
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        StructuralSchema known = version.equals(apiVersion) ? schema : versions.apply(version);
        return known == null ? null : known.managed();
    }

    @Override
    public ObjectNode completed(ObjectNode applied) {
        ObjectNode object = applied.deepCopy();
        FieldErrors problems = schema.complete(object);
        if (!problems.isEmpty()) {
            throw Refusals.badRequest(problems.message());
        }
        return object;
    }

    @Override
    public ObjectNode empty() {
        return Json.object().put("apiVersion", apiVersion).put("kind", kind);
    }

    @Override
    public boolean itemsNameKind() {
        return true;
    }
}
