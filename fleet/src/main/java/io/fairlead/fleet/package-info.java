/**
 * The registered clusters: the {@code Cluster} kind of the root cluster and its controller.
 *
 * <p>Threads: one controller thread writes everything; watches of the root cluster and observers of clusters only add
 * names into its queue. Requests read an immutable snapshot. Start with {@link io.fairlead.fleet.Fleet}.
 */
@NullMarked
package io.fairlead.fleet;

import org.jspecify.annotations.NullMarked;
