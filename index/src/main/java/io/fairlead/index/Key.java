package io.fairlead.index;

/**
 * One thing that a cluster may serve, known to the whole fleet by a small number.
 *
 * <p>Three kinds share the form: a group/version (no resource), a resource of it, and the two marks {@link #ROUTED} and
 * {@link #UNLISTED} on a group/version, which are no possible resource names.
 */
final class Key {
    /** In place of a resource: the group/version as such. */
    static final String GROUP_VERSION = "";
    /** In place of a resource: some holder takes every resource of the group/version. */
    static final String ROUTED = "*";
    /** In place of a resource: some holder does not say with which resources it serves the group/version. */
    static final String UNLISTED = "?";

    final Claim claim;
    final int hash;
    final int id;
    /** How many shared key sets hold it; written under the vocabulary's lock. */
    int references;

    Key(Claim claim, int hash, int id) {
        this.claim = claim;
        this.hash = hash;
        this.id = id;
    }

    boolean is(int otherHash, String group, String version, String resource) {
        return hash == otherHash
                && claim.resource().equals(resource)
                && claim.group().equals(group)
                && claim.version().equals(version);
    }

    /** Spreads the three cached string hashes over an int; any mixture will do. */
    static int hash(String group, String version, String resource) {
        int hash = (group.hashCode() * 31 + version.hashCode()) * 31 + resource.hashCode();
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
