/**
 * HTTP/2 (RFC 9113) as a state machine without I/O, for clients and servers. Bytes go in and out at
 * {@link io.fairlead.http.h2.Http2Session}; a stream is a {@link io.fairlead.http.h2.StreamEnd}, which the session's owner
 * extends. Everything of one connection runs on one thread.
 */
@NullMarked
package io.fairlead.http.h2;

import org.jspecify.annotations.NullMarked;
