/**
 * The way in: TLS, HTTP/1.1 and HTTP/2, strict framing, limits.
 *
 * <p>Everything here runs on event loops and never blocks. The two protocols are alike from here on. Start with {@link
 * io.fairlead.gateway.listen.Listener}; connections are bounded by {@code ConnectionQuota}, of which {@code Place} is what one
 * takes and {@code Strangers} are those that no caller has taken, which make room.
 */
@NullMarked
package io.fairlead.gateway.listen;

import org.jspecify.annotations.NullMarked;
