/**
 * The way in: TLS, HTTP/1.1 and HTTP/2, strict framing, limits.
 *
 * <p>Everything here runs on event loops and never blocks. The two protocols are alike from here on.
 */
@NullMarked
package io.fairlead.gateway.listen;

import org.jspecify.annotations.NullMarked;
