package io.fairlead.index;

import io.fairlead.model.ResourceVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The incarnations of a cluster that were deleted lately, so that a late duplicate of an earlier event cannot restore
 * one. Keeps the last {@value #KEPT_MAX}: events are late by seconds, not by hundreds of deletions. Guarded by the
 * ledger's stripe.
 */
final class Tombstones {
    private static final int KEPT_MAX = 256;

    private final Map<String, String> resourceVersions = new LinkedHashMap<>();

    void bury(HolderType type, String uid, String resourceVersion) {
        resourceVersions.put(key(type, uid), resourceVersion);
        if (resourceVersions.size() > KEPT_MAX) {
            resourceVersions.remove(resourceVersions.keySet().iterator().next());
        }
    }

    /** A complete list of some types defines which of their incarnations exist. */
    void forget(Set<HolderType> types) {
        types.forEach(type -> resourceVersions.keySet().removeIf(key -> key.startsWith(key(type, ""))));
    }

    /** Whether a holder was deleted, and not seen again afterwards. */
    boolean cover(Holder holder) {
        String buriedAt = resourceVersions.get(key(holder.type(), holder.uid()));
        return buriedAt != null && !ResourceVersion.isNewer(holder.resourceVersion(), buriedAt);
    }

    private static String key(HolderType type, String uid) {
        return type + "/" + uid;
    }
}
