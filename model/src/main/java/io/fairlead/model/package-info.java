/**
 * The words of the field as records that validate themselves: cluster ids, group/versions, resource versions, request
 * info, Status.
 *
 * <p>Pure values on the JDK alone: no I/O, no JSON, no shared state; every type is safe for any thread. Start with
 * {@link io.fairlead.model.ClusterName} and {@link io.fairlead.model.RequestInfo}.
 */
@NullMarked
package io.fairlead.model;

import org.jspecify.annotations.NullMarked;
