/**
 * {@code conflicts}: who is in conflict with whom, since when, and what to do.
 *
 * <p>One thread. Start with {@link io.fairlead.cli.conflicts.ConflictsCommand}.
 */
@NullMarked
package io.fairlead.cli.conflicts;

import org.jspecify.annotations.NullMarked;
