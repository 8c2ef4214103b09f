/**
 * Attached clusters: a streaming reverse proxy that presents the caller by computed headers, or by the token that the cluster
 * itself has accepted.
 *
 * <p>Runs on the request's event loop and never blocks. Start with {@link io.fairlead.gateway.proxy.ProxyHandler}.
 */
@NullMarked
package io.fairlead.gateway.proxy;

import org.jspecify.annotations.NullMarked;
