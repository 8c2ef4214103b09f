package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;

/**
 * What the rules read of an event of an informer's watch.
 *
 * @param type what it reports
 * @param uid the object's uid; empty if there is none
 * @param resourceVersion the object's resourceVersion as it was sent; empty if there is none
 */
public record InformerEvent(WatchEventType type, String uid, String resourceVersion) {
    /** Whether its resourceVersion can be ordered (KEP-5504). */
    boolean isComparable() {
        return ResourceVersion.isComparable(resourceVersion);
    }
}
