package io.fairlead.index;

/**
 * One served item, identified in the whole fleet by a small number.
 *
 * <p>Three kinds share the form: a group/version (no resource), a resource of it, and the two marks {@link #ROUTED} and
 * {@link #UNLISTED} on a group/version, which are no possible resource names.
 */
final class Key {
    /** Instead of a resource: the group/version itself. */
    static final String GROUP_VERSION = "";
    /** Instead of a resource: some holder serves every resource of the group/version. */
    static final String ROUTED = "*";
    /** Instead of a resource: some holder serves unknown resources of the group/version. */
    static final String UNLISTED = "?";

    final Claim claim;
    private final String group;
    private final String version;
    private final String resource;
    final int hash;
    final int id;

    Key(Claim claim, int hash, int id) {
        this.claim = claim;
        this.group = claim.group();
        this.version = claim.version();
        this.resource = claim.resource();
        this.hash = hash;
        this.id = id;
    }

    boolean is(int otherHash, String otherGroup, String otherVersion, String otherResource) {
        return hash == otherHash
                && resource.equals(otherResource)
                && group.equals(otherGroup)
                && version.equals(otherVersion);
    }

    /** Spreads the three cached string hashes over an int; any mixture works. */
    static int hash(String group, String version, String resource) {
        int hash = (group.hashCode() * 31 + version.hashCode()) * 31 + resource.hashCode();
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
