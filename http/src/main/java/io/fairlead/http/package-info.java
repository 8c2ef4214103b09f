/**
 * The wire of HTTP, for the side of clients and the side of servers alike: which bytes may stand where, chunked bodies,
 * connections that speak another protocol after an upgrade, and the sockets and TLS engines below.
 *
 * <p>What belongs to a channel is used on its event loop. Start with {@link io.fairlead.http.FieldRules}, {@link
 * io.fairlead.http.RawConnection} and {@link io.fairlead.http.Transport}.
 */
@NullMarked
package io.fairlead.http;

import org.jspecify.annotations.NullMarked;
