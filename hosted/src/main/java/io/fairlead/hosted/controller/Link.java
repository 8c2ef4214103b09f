package io.fairlead.hosted.controller;

/**
 * One {@code ownerReference}, resolved.
 *
 * @param ownerKey the owner's key in the store
 * @param uid the owner's incarnation
 * @param blocks whether the owner's foreground deletion waits for the dependent
 */
record Link(String ownerKey, String uid, boolean blocks) {
    /** What is the same of equal links. Records as keys are slow where clients choose uids that hash alike. */
    String text() {
        return ownerKey + " " + uid + " " + blocks;
    }
}
