/**
 * Whether a caller may enter a cluster at all: the verb {@code access} on {@code clusters.fairlead.io/NAME} in the root
 * cluster. All others get the same answer whether the cluster exists or not.
 *
 * <p>Start with {@link io.fairlead.gateway.enter.ClusterAccess}.
 */
@NullMarked
package io.fairlead.gateway.enter;

import org.jspecify.annotations.NullMarked;
