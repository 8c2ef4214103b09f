package io.fairlead.hosted.objects;

import io.fairlead.model.Status;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * How the objects of one resource in one version are read, kept and checked.
 *
 * <p>Threads: any.
 */
public interface Codec {
    /**
     * Reads what a client sent, which is not changed.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be an object of this kind
     */
    Decoded decode(ObjectNode sent);

    /** A stored value in this version, without a resource version. */
    ObjectNode fromStore(byte[] value);

    /** An object of this version as it is stored; its resource version is left out. */
    byte[] toStore(ObjectNode object);

    /** What the schema has against an object; {@code old} is null on create. */
    List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old);

    /** The Go type of the kind, which clients may also send in protobuf; null if Go knows none. */
    default @Nullable Struct goType() {
        return null;
    }

    /** Whether the items of a list name their kind, which those of kinds that Go knows as structs do not. */
    boolean itemsNameKind();

    /**
     * A decoded object.
     *
     * @param object the object, which the caller owns
     * @param unknownFields what field validation tells: {@code unknown field "spec.x"}
     */
    record Decoded(ObjectNode object, List<String> unknownFields) {}
}
