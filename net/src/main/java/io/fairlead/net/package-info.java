/**
 * The upstream client: TLS trust, address policy, and the pooled HTTP/1.1 and HTTP/2 client for one upstream.
 *
 * <p>Used by the proxy, the informers and probes. Callbacks run on event loops and never block. Start with
 * {@link io.fairlead.net.Upstream}.
 */
@NullMarked
package io.fairlead.net;

import org.jspecify.annotations.NullMarked;
