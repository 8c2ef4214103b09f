/**
 * When each cluster was Ready, as Fairlead observed it: the last transitions, kept across restarts; and what keeps a cluster
 * from being Available at first.
 *
 * <p>Threads: the fleet's controller writes; readers see immutable lists. Start with {@link
 * io.fairlead.fleet.availability.AvailabilityLog} and {@link io.fairlead.fleet.availability.AvailabilityGate}.
 */
@NullMarked
package io.fairlead.fleet.availability;

import org.jspecify.annotations.NullMarked;
