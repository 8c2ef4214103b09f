package io.fairlead.hosted.controller;

/**
 * One {@code ownerReference}, resolved.
 *
 * @param ownerKey the key under which the owner stands in the store
 * @param uid the incarnation that is meant
 * @param blocks whether the owner's foreground deletion waits for the dependent
 */
record Link(String ownerKey, String uid, boolean blocks) {}
