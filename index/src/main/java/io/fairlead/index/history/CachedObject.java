package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;

/**
 * What an informer keeps under the name of an event's object.
 *
 * @param uid the kept incarnation
 * @param resourceVersion the version at which it is kept
 * @param content how the event's object compares with it
 */
public record CachedObject(String uid, String resourceVersion, Content content) {
    /** How two states of an object compare, as far as the informer keeps them. */
    public enum Content {
        SAME,
        DIFFERENT
    }

    boolean isOf(InformerEvent event) {
        return uid.equals(event.uid());
    }

    /** Whether the event reports exactly what is kept. */
    boolean isAsIn(InformerEvent event) {
        return isOf(event) && resourceVersion.equals(event.resourceVersion()) && content == Content.SAME;
    }

    /** Whether it is provably kept at a version above that of the event. */
    boolean isAbove(InformerEvent event) {
        return ResourceVersion.isNewer(resourceVersion, event.resourceVersion());
    }
}
