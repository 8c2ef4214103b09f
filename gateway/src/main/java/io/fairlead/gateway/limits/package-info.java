/**
 * The limits of the front end, their defaults for this machine, and the port that counts when one is reached.
 *
 * <p>Values; any thread. Start with {@link io.fairlead.gateway.limits.EdgeLimits}.
 */
@NullMarked
package io.fairlead.gateway.limits;

import org.jspecify.annotations.NullMarked;
