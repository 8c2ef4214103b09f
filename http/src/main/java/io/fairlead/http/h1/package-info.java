/** HTTP/1.1 (RFC 9112) as state machines without I/O, for the client's side. */
@NullMarked
package io.fairlead.http.h1;

import org.jspecify.annotations.NullMarked;
