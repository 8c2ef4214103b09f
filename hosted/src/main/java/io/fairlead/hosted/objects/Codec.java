package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Causes;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decodes, encodes and validates the objects of one resource in one version.
 *
 * <p>Threads: any.
 */
public interface Codec {
    /**
     * Decodes a client's object, which is not changed.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be an object of this kind
     */
    Decoded decode(ObjectNode sent);

    /**
     * Converts an object that kube-apiserver has as a tree, and not as a text, which is not changed: the result of an applied
     * configuration or of a strategic merge patch.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be an object of this kind
     */
    default Decoded convert(ObjectNode tree) {
        return decode(tree);
    }

    /** A stored value in this version, without a resource version; may ask a webhook. */
    ObjectNode fromStore(byte[] value);

    /** A judged object, owned by the caller and changed, without what its stored form cannot tell: an empty list from none. */
    default ObjectNode storable(ObjectNode object) {
        return object;
    }

    /** A judged object in its stored form, without its resource version; may ask a webhook. */
    byte[] toStore(ObjectNode object);

    /** An object of this version in that in which it is judged, which is another for kinds whose versions share their rules. */
    default ObjectNode judged(ObjectNode object) {
        return object;
    }

    /** A judged object in this version, or an object that is in it already. */
    default ObjectNode shown(ObjectNode judged) {
        return judged;
    }

    /** A stored value in the version in which it is judged, without a resource version; may ask a webhook. */
    default ObjectNode judgedFromStore(byte[] value) {
        return fromStore(value);
    }

    /** How many bytes the defaults of its schema add at most to the tree of an object that has so many values. */
    default long defaultsBytesMax(long values) {
        return 0;
    }

    /** Whether reading or writing an object may wait for a webhook. */
    default boolean mayAsk() {
        return false;
    }

    /** How many bytes {@link #prepared} may make of so many. */
    default long preparedBytesMax(long bytes) {
        return bytes;
    }

    /**
     * Stored entries of which none needs a webhook to be read by {@link #fromStore}: it is asked about all of them at once.
     *
     * @throws io.fairlead.model.StatusException as {@link Conversion#convert}
     */
    default List<Entry> prepared(List<Entry> entries) {
        return entries;
    }

    /** A codec that reads and writes objects in the versions in which they are stored, without their schemas. */
    default Codec asStored() {
        return this;
    }

    /** Problems of an object by the schema; {@code old} is null on create. */
    List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old);

    /** The problems of an object's metadata, and those by the schema, which may depend on them. */
    default List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old, FieldErrors metadata) {
        List<Status.Cause> causes = new ArrayList<>(Causes.of(metadata));
        causes.addAll(validate(object, old));
        return causes;
    }

    /** The same of a write of the status, for kinds of which it judges less. */
    default List<Status.Cause> validateStatus(ObjectNode object, ObjectNode old, FieldErrors metadata) {
        return validate(object, old, metadata);
    }

    /** The Go type of the kind, for protobuf bodies; null if Go has none. */
    default @Nullable Struct goType() {
        return null;
    }

    /** What can be managed of the objects of a version; null if this kind has no such version. */
    @Nullable
    ManagedType managedType(String version);

    /** An object of any version in another; may ask a webhook. The given tree is not changed. */
    default ObjectNode inVersion(ObjectNode object, String version) {
        return object;
    }

    /**
     * An object to which a configuration of this kind was applied, with what decoding adds; the given tree is not changed.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be an object of this kind
     */
    default ObjectNode completed(ObjectNode applied) {
        return convert(applied).object();
    }

    /** What an object of this kind is before anything is known of it; owned by the caller. */
    ObjectNode empty();

    /** Whether list items have {@code kind}; those of kinds that are Go structs do not. */
    boolean itemsNameKind();

    /**
     * A decoded object.
     *
     * @param object the object, owned by the caller
     * @param unknownFields the findings of field validation: {@code unknown field "spec.x"}
     */
    record Decoded(ObjectNode object, List<String> unknownFields) {}
}
