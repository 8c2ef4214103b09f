package io.fairlead.index;

import io.fairlead.model.ResourceVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The incarnations of a cluster that were deleted lately, so that a late copy of an earlier event cannot bring one back.
 * Keeps the last {@value #KEPT_MAX}: events are late by seconds, not by hundreds of deletions. Guarded by the ledger's
 * stripe.
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

    /** A complete list of some types says which of their incarnations there are. */
    void forget(Set<HolderType> types) {
        types.forEach(type -> resourceVersions.keySet().removeIf(key -> key.startsWith(key(type, ""))));
    }

    /** Whether a holder was deleted, and nothing says that it was seen again afterwards. */
    boolean cover(Holder holder) {
        String buriedAt = resourceVersions.get(key(holder.type(), holder.uid()));
        return buriedAt != null && !ResourceVersion.isNewer(holder.resourceVersion(), buriedAt);
    }

    private static String key(HolderType type, String uid) {
        return type + "/" + uid;
    }
}
