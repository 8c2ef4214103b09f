package io.fairlead.index;

import java.util.List;

/**
 * A thing that serves group/versions of a cluster, as seen at one resource version.
 *
 * @param type what it is
 * @param name its name, unique for the type within a cluster at any time
 * @param uid tells its incarnations apart
 * @param resourceVersion the version of the object that was seen; empty if it has none
 * @param contributions what it serves; empty while it serves nothing, as a CRD that is not established
 * @param digest the digest of the type that it defines; empty if none was computed
 */
public record Holder(
        HolderType type,
        String name,
        String uid,
        String resourceVersion,
        List<Contribution> contributions,
        String digest) {
    public Holder {
        contributions = List.copyOf(contributions);
    }

    /** Whether both are the same incarnation of the same thing. */
    boolean isSameIncarnation(Holder other) {
        return type == other.type && name.equals(other.name) && uid.equals(other.uid);
    }

    @Override
    public String toString() {
        return type + " " + name + " (uid " + uid + ", resourceVersion " + resourceVersion + ")";
    }
}
