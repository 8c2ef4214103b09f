/**
 * The objects of a resource in a cluster, listed and watched once for all parts of the fleet that follow them, and requests
 * of Fairlead's own to clusters.
 *
 * <p>Nothing is kept of the objects. Threads: one virtual thread for each list and watch, which calls its listeners one
 * after another. Start with {@link io.fairlead.fleet.informers.Informers}.
 */
@NullMarked
package io.fairlead.fleet.informers;

import org.jspecify.annotations.NullMarked;
