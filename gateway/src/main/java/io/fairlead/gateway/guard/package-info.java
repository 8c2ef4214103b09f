/**
 * Guards the watches that are proxied to clients, so that none goes back in time: reads events from their bytes, has them
 * judged by {@link io.fairlead.index.history.WatchGuard}, and forwards, rewrites, drops or ends.
 *
 * <p>On the event loop of the request; nothing blocks. Start with {@link io.fairlead.gateway.guard.GuardedEvents}.
 */
@NullMarked
package io.fairlead.gateway.guard;

import org.jspecify.annotations.NullMarked;
