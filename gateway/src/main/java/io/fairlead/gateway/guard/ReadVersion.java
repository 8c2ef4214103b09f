package io.fairlead.gateway.guard;

import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * A resourceVersion in an event, and the object that it belongs to.
 *
 * @param key the object's {@code namespace/name}, or its name; empty if it is not known
 * @param text as it was sent; empty if there is none
 * @param from where the text begins in the stream
 * @param to where it ends
 */
record ReadVersion(String key, String text, long from, long to) {
    WatchEvent as(WatchEventType type) {
        return new WatchEvent(type, key, text);
    }

    /** Null if it cannot be ordered. */
    @Nullable
    ResourceVersion order() {
        return ResourceVersion.isComparable(text) ? new ResourceVersion(text) : null;
    }

    boolean isBelow(ResourceVersion other) {
        ResourceVersion own = order();
        return own != null && own.compareTo(other) < 0;
    }
}
