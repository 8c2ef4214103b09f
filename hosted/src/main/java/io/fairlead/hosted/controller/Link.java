package io.fairlead.hosted.controller;

/**
 * One {@code ownerReference}, resolved.
 *
 * @param ownerKey the owner's key in the store
 * @param uid the owner's incarnation
 * @param blocks whether the owner's foreground deletion waits for the dependent
 */
record Link(String ownerKey, String uid, boolean blocks) {}
