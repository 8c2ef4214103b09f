/**
 * When each cluster was Ready, as Fairlead observed it: the last transitions, kept across restarts.
 *
 * <p>Threads: the fleet's controller writes; readers see immutable lists. Start with {@link
 * io.fairlead.fleet.availability.AvailabilityLog}.
 */
@NullMarked
package io.fairlead.fleet.availability;

import org.jspecify.annotations.NullMarked;
