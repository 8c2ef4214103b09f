/**
 * The wire of HTTP, for clients and servers: header fields, the rules of requests, chunked bodies, upgraded connections, sockets
 * and TLS engines.
 *
 * <p>Objects of a channel are used on its event loop. Start with {@link io.fairlead.http.Rule},
 * {@link io.fairlead.http.RawConnection} and {@link io.fairlead.http.Transport}.
 */
@NullMarked
package io.fairlead.http;

import org.jspecify.annotations.NullMarked;
