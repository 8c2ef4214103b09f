package io.fairlead.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of group/versions of a cluster, at one resource version.
 *
 * @param type its type
 * @param name its name, unique for the type within a cluster at any time
 * @param uid distinguishes its incarnations
 * @param resourceVersion the version of the object that was seen; empty if it has none
 * @param contributions what it serves; empty while it serves nothing, as a CRD that is not established
 * @param defines the type that it defines; null if it defines none, or one that cannot be read
 * @param implementation the recorded controller of its type's objects: the digest of an image; empty if none
 */
public record Holder(
        HolderType type,
        String name,
        String uid,
        String resourceVersion,
        List<Contribution> contributions,
        @Nullable DefinedType defines,
        String implementation) {
    public Holder {
        contributions = List.copyOf(contributions);
    }

    /** A holder that defines no type. */
    public Holder(HolderType type, String name, String uid, String resourceVersion, List<Contribution> contributions) {
        this(type, name, uid, resourceVersion, contributions, null, "");
    }

    /** The same with another recorded controller. */
    public Holder implementedBy(String other) {
        return new Holder(type, name, uid, resourceVersion, contributions, defines, other);
    }

    /**
     * About how many bytes of the heap the index takes for it, its keys included: the sum for many holders is an upper bound, measured
     * at 1.2 to 1.7 times what they take. Of its type, which others may define too, this is a part.
     */
    public long heapBytes() {
        long bytes = 1_000 + 2L * (name.length() + uid.length() + resourceVersion.length());
        for (Contribution contribution : contributions) {
            bytes += contribution.heapBytes();
        }
        return defines == null ? bytes : bytes + defines.heapBytes();
    }

    /** Whether it is a CRD of a group, by its name: resource, dot, group. */
    public boolean isOfGroup(String group) {
        int dot = name.indexOf('.');
        return type == HolderType.CRD && dot > 0 && dot + 1 + group.length() == name.length() && name.endsWith(group);
    }

    /** Whether both are the same incarnation of the same object. */
    boolean isSameIncarnation(Holder other) {
        return type == other.type && name.equals(other.name) && uid.equals(other.uid);
    }

    /** Whether the parts common to many holders are the same objects. */
    @SuppressWarnings("ReferenceEquality") // identity, to save memory
    boolean hasPartsOf(Holder other) {
        return name == other.name
                && contributions == other.contributions
                && defines == other.defines
                && implementation == other.implementation;
    }

    @Override
    public String toString() {
        return type + " " + name + " (uid " + uid + ", resourceVersion " + resourceVersion + ")";
    }
}
