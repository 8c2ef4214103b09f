/**
 * Guards the watches that are proxied to clients, so that none goes back in time. Events are read from their bytes and judged by
 * {@link io.fairlead.index.history.WatchGuard}; what goes back is rewritten, left out, or ends the watch.
 *
 * <p>On the event loop of the request; nothing blocks. Start with {@link io.fairlead.gateway.guard.GuardedEvents}.
 */
@NullMarked
package io.fairlead.gateway.guard;

import org.jspecify.annotations.NullMarked;
