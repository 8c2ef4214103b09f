package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;

/**
 * What the rules read of an event of a watch.
 *
 * @param type what it reports
 * @param key the object's {@code namespace/name}, or its name if it is cluster-scoped; empty if it is not known
 * @param resourceVersion the object's resourceVersion as it was sent; empty if there is none
 */
public record WatchEvent(WatchEventType type, String key, String resourceVersion) {
    /** Whether its resourceVersion can be ordered (KEP-5504). */
    public boolean isComparable() {
        return ResourceVersion.isComparable(resourceVersion);
    }
}
