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
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The codec of kinds that a structural schema describes: pruned and defaulted on request, on reading from storage and after a
 * conversion between versions.
 */
public final class StructuralCodec implements Codec {
    private static final StructuralSchema ANYTHING =
            StructuralSchema.of(Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true));

    /** Before the JSON of an object that is converted already, where what is stored has none. */
    private static final byte PREPARED = ' ';

    private final String apiVersion;
    private final String storedApiVersion;
    private final String kind;
    private final StructuralSchema schema;
    private final Map<String, StructuralSchema> versions;
    private final Conversion conversion;

    /**
     * The codec of one version.
     *
     * @param versions the schemas of all versions by their apiVersion
     * @param conversion between the versions
     */
    public StructuralCodec(
            ResourceType type, StructuralSchema schema, Map<String, StructuralSchema> versions, Conversion conversion) {
        this(
                type.groupVersion().apiVersion(),
                new GroupVersion(type.group(), type.storageVersion()).apiVersion(),
                type.kind(),
                schema,
                versions,
                conversion);
    }

    private StructuralCodec(
            String apiVersion,
            String storedApiVersion,
            String kind,
            StructuralSchema schema,
            Map<String, StructuralSchema> versions,
            Conversion conversion) {
        this.apiVersion = apiVersion;
        this.storedApiVersion = storedApiVersion;
        this.kind = kind;
        this.schema = schema;
        this.versions = versions;
        this.conversion = conversion;
    }

    /** The codec of a kind whose OpenAPI schema has not been decoded yet. */
    public static StructuralCodec of(ResourceType type, ObjectNode openApiSchema) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, openApiSchema, "", false);
        if (decoded.problem() != null) {
            throw new IllegalArgumentException("schema of " + type.kind() + ": " + decoded.problem());
        }
        return new StructuralCodec(type, StructuralSchema.of(decoded.tree()), Map.of(), Conversion.NONE);
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        ObjectNode object = sent.deepCopy();
        StructuralSchema.Reading reading = schema.read(object, false);
        if (!reading.problems().isEmpty()) {
            FieldError first = reading.problems().list().getFirst();
            boolean isMetadata = first.field().equals("metadata");
            throw Refusals.undecodable(
                    kind,
                    apiVersion.substring(apiVersion.indexOf('/') + 1),
                    isMetadata ? first.detail() : reading.problems().message());
        }
        return new Decoded(object, reading.messages());
    }

    @Override
    public ObjectNode fromStore(byte[] value) {
        ObjectNode stored = (ObjectNode) Json.read(value);
        boolean isPrepared = value[0] == PREPARED && isOfThisVersion(stored);
        if (isOfThisVersion(stored) && !isPrepared) {
            schema.read(stored, true);
            return stored;
        }
        ObjectNode converted = isPrepared ? stored : conversion.convert(defaulted(stored), apiVersion);
        schema.readConverted(converted);
        return converted;
    }

    /** With the defaults of its own version: those of the version that it is converted to are for what clients send. */
    private ObjectNode defaulted(ObjectNode stored) {
        StructuralSchema own = versions.get(stored.path("apiVersion").asString(""));
        if (own != null) {
            own.applyDefaults(stored);
        }
        return stored;
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        ObjectNode sorted = (ObjectNode) Json.sorted(object);
        Meta.of(sorted).remove("resourceVersion");
        ObjectNode stored = conversion.convert(sorted, storedApiVersion);
        boolean isOfAnother = !storedApiVersion.equals(apiVersion) && !conversion.equals(Conversion.KEPT);
        StructuralSchema other = isOfAnother ? versions.get(storedApiVersion) : null;
        if (other != null) {
            other.prune(stored);
        }
        return Json.write(stored.equals(sorted) ? stored : Json.sorted(stored));
    }

    @Override
    public long defaultsBytesMax(long values) {
        long bytes = schema.defaultsBytesMax(values);
        for (StructuralSchema version : versions.values()) {
            bytes = Math.max(bytes, version.defaultsBytesMax(values));
        }
        return bytes;
    }

    @Override
    public boolean mayAsk() {
        return conversion.mayAsk();
    }

    @Override
    public long preparedBytesMax(long bytes) {
        return conversion.mayAsk() ? Conversion.answerBytesMax(bytes) : bytes;
    }

    @Override
    public List<Entry> prepared(List<Entry> entries) {
        if (!conversion.mayAsk()) {
            return entries;
        }
        Set<String> keys = new HashSet<>();
        List<ObjectNode> others = new ArrayList<>();
        for (Entry entry : entries) {
            ObjectNode stored = (ObjectNode) Json.read(entry.value());
            if (!isOfThisVersion(stored)) {
                keys.add(entry.key());
                others.add(defaulted(stored));
            }
        }
        Iterator<ObjectNode> converted = conversion.convert(others, apiVersion).iterator();
        return entries.stream()
                .map(entry -> keys.contains(entry.key()) ? prepared(entry, converted.next()) : entry)
                .toList();
    }

    private static Entry prepared(Entry entry, ObjectNode converted) {
        byte[] json = Json.write(converted);
        byte[] value = new byte[json.length + 1];
        value[0] = PREPARED;
        System.arraycopy(json, 0, value, 1, json.length);
        return new Entry(entry.key(), value, entry.revision(), entry.createRevision());
    }

    private boolean isOfThisVersion(ObjectNode object) {
        return object.path("apiVersion").asString("").equals(apiVersion);
    }

    @Override
    public ObjectNode inVersion(ObjectNode object, String version) {
        return conversion.mayAsk() ? conversion.convert(object.deepCopy(), version) : object;
    }

    @Override
    public Codec asStored() {
        return new StructuralCodec(apiVersion, storedApiVersion, kind, ANYTHING, versions, Conversion.KEPT);
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return Causes.of(old == null ? schema.validate(object) : schema.validateUpdate(object, old));
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old, FieldErrors metadata) {
        schema.judge(object, old, metadata);
        return Causes.of(metadata);
    }

    @Override
    public List<Status.Cause> validateStatus(ObjectNode object, ObjectNode old, FieldErrors metadata) {
        schema.judgeStatus(object, old, metadata);
        return Causes.of(metadata);
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        StructuralSchema known = version.equals(apiVersion) ? schema : versions.get(version);
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
