/**
 * HPACK, the compression of header fields in HTTP/2 (RFC 7541). {@link io.fairlead.http.hpack.HpackDecoder} reads what a peer
 * sends, {@link io.fairlead.http.hpack.HpackEncoder} writes what it gets.
 */
@NullMarked
package io.fairlead.http.hpack;

import org.jspecify.annotations.NullMarked;
