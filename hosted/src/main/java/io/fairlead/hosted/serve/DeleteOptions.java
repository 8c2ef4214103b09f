package io.fairlead.hosted.serve;

/**
 * What a deletion insists on.
 *
 * @param uid the uid that the object must have, empty for any
 * @param resourceVersion the resource version that it must have, empty for any
 */
public record DeleteOptions(String uid, String resourceVersion) {
    /** Deletes whatever is there. */
    public static final DeleteOptions NONE = new DeleteOptions("", "");
}
