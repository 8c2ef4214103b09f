package io.fairlead.hosted.serve;

/**
 * What a deletion insists on.
 *
 * @param uid the uid that the object must have, empty for any
 * @param resourceVersion the resource version that it must have, empty for any
 * @param propagation what becomes of its dependents
 */
public record DeleteOptions(String uid, String resourceVersion, Propagation propagation) {
    /** Deletes whatever is there. */
    public static final DeleteOptions NONE = new DeleteOptions("", "", Propagation.UNSAID);
}
