/**
 * Conflicts between registrations: which of them lead to one cluster, which of those stays, and what the status of each
 * says of it.
 *
 * <p>Threads: {@link io.fairlead.fleet.conflicts.ClusterIdentities} is for any; the rest are values. Start with it.
 */
@NullMarked
package io.fairlead.fleet.conflicts;

import org.jspecify.annotations.NullMarked;
