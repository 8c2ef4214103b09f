/**
 * The way in: TLS, HTTP/1.1 and HTTP/2, strict framing, limits, drain.
 *
 * <p>Everything here runs on event loops and never blocks. Start with {@link io.fairlead.gateway.listen.EdgeServer}.
 */
@NullMarked
package io.fairlead.gateway.listen;

import org.jspecify.annotations.NullMarked;
