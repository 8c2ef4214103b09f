/**
 * The kind {@code ExclusiveKey} and its controller: rules of users that at most one object of a resource may have a key, and the
 * objects that break them. Rules that deny are asked about the writes of hosted clusters, which reserve keys (start with {@link
 * io.fairlead.fleet.exclusive.KeyAdmission}).
 *
 * <p>Threads: one of the controller, those of informers, and virtual ones that ask for an author's rights. Start with {@link
 * io.fairlead.fleet.exclusive.ExclusiveKeys}.
 */
@NullMarked
package io.fairlead.fleet.exclusive;

import org.jspecify.annotations.NullMarked;
