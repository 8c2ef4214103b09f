package io.fairlead.ittests;

/**
 * One thing that an informer was told of an object.
 *
 * @param resourceVersion as a number, which it is in all clusters of these tests
 */
record Sighting(What what, String uid, long resourceVersion, String name) {
    /** By whom: the handlers that an informer calls, or the watch that it reads. */
    enum What {
        ADDED,
        UPDATED,
        DELETED,
        /** A call of a handler for an object that it had before: informers do so after a new list. */
        UNCHANGED,
        /** What a streaming list begins with. */
        INITIAL,
        WATCHED_ADDED,
        WATCHED_MODIFIED,
        WATCHED_DELETED;

        /** Whether it may be told again of the same version of an object. */
        boolean mayRepeat() {
            return this == UNCHANGED || this == INITIAL;
        }
    }
}
