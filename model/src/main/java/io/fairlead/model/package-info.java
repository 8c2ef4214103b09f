/**
 * The words of the field as records that validate themselves: cluster ids, group/versions, resource versions, request
 * info, Status.
 *
 * <p>Only the JDK, no I/O and no JSON; every type is safe for any thread. All but {@link io.fairlead.model.ByteBudget}
 * and {@link io.fairlead.model.Supervised} are pure values without shared state. Start with
 * {@link io.fairlead.model.ClusterName} and {@link io.fairlead.model.RequestInfo}.
 */
@NullMarked
package io.fairlead.model;

import org.jspecify.annotations.NullMarked;
