package io.fairlead.hosted.objects;

import org.jspecify.annotations.Nullable;

/**
 * What a deletion insists on.
 *
 * @param uid the uid that the object must have, null for any
 * @param resourceVersion the resource version that it must have, null for any
 * @param propagation what becomes of its dependents
 */
public record DeleteOptions(@Nullable String uid, @Nullable String resourceVersion, Propagation propagation) {
    /** Deletes whatever is there. */
    public static final DeleteOptions NONE = new DeleteOptions(null, null, Propagation.UNSET);
}
