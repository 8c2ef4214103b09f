package io.fairlead.index;

import io.fairlead.model.TypeDigest;
import java.util.List;

/**
 * The types of a CustomResourceDefinition as digests. Equal ones share one object.
 *
 * @param group the API group
 * @param kind the kind
 * @param stored the API with its schemas, under their common digest
 * @param full the digest of the whole definition
 * @param versions every version, served or not, in the order of the definition
 * @param understood whether every construct of it is understood; if not, its meaning is unknown
 */
public record DefinedType(
        String group,
        String kind,
        StoredType stored,
        TypeDigest full,
        List<DefinedVersion> versions,
        boolean understood) {
    public DefinedType {
        versions = List.copyOf(versions);
    }

    /**
     * A version of a type.
     *
     * @param name its name
     * @param schema the digest of its schema
     */
    public record DefinedVersion(String name, TypeDigest schema) {}

    /** Its name for people: kind, a dot and the group. */
    public String groupKind() {
        return kind + "." + group;
    }

    /** As {@link Holder#heapBytes}, for this. */
    long heapBytes() {
        long bytes = 500 + 2L * (group.length() + kind.length()) + stored.partBytes();
        for (DefinedVersion version : versions) {
            bytes += 250 + 2L * version.name().length();
        }
        return bytes;
    }

    /** The digest of the API: what clients and stored objects depend on. */
    public TypeDigest api() {
        return stored.api();
    }
}
