/**
 * The limits that clients can meet, what this machine has for them, the port that counts when one is
 * reached, and what asks equal questions of a cluster once.
 *
 * <p>Values; any thread. Start with {@link io.fairlead.gateway.limits.Limit}.
 */
@NullMarked
package io.fairlead.gateway.limits;

import org.jspecify.annotations.NullMarked;
