package io.fairlead.index.conflicts;

import java.util.Collection;

/** Who claims a key: from an index on the key, or from a scan of all claims. Both give the same. */
interface Candidates {
    /** The contest for a key. */
    Contest of(ConflictKey key);

    /** Without an index: looks at all claims for each key. */
    static Candidates scan(ConflictPolicy policy, Collection<KeyClaim> all) {
        return key -> Contest.of(
                policy, all.stream().filter(claim -> claim.key().equals(key)).toList());
    }
}
