package io.fairlead.index.conflicts;

import java.time.Instant;

/**
 * One incarnation of an object that claims keys.
 *
 * @param name its name, for people
 * @param uid what it is known by
 * @param created since when it exists
 */
public record KeyHolder(String name, String uid, Instant created) {}
