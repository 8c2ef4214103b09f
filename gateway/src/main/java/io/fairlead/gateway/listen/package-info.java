/**
 * The listener: TLS, HTTP/1.1 and HTTP/2, strict framing, limits.
 *
 * <p>Everything here runs on event loops and never blocks. Later stages do not distinguish the two protocols. Start
 * with {@link io.fairlead.gateway.listen.Listener}; {@code ConnectionQuota} bounds connections, {@code Place} is the
 * share of one, and {@code Strangers} are the connections without a caller, which are closed for new ones.
 */
@NullMarked
package io.fairlead.gateway.listen;

import org.jspecify.annotations.NullMarked;
