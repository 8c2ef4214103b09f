package io.fairlead.hosted.objects;

import org.jspecify.annotations.Nullable;

/**
 * The preconditions and policy of a deletion.
 *
 * @param uid the uid that the object must have, null for any
 * @param resourceVersion the resource version that it must have, null for any
 * @param propagation the policy for its dependents
 */
public record DeleteOptions(@Nullable String uid, @Nullable String resourceVersion, Propagation propagation) {
    /** No preconditions. */
    public static final DeleteOptions NONE = new DeleteOptions(null, null, Propagation.UNSET);

    /** No preconditions, and dependents go too, whatever the kind's own policy is. */
    public static final DeleteOptions BACKGROUND = new DeleteOptions(null, null, Propagation.BACKGROUND);
}
