/**
 * The store's changes, read once and delivered to every watcher in the same order.
 *
 * <p>One thread per store, the sequencer, reads committed changes and dispatches them; watchers take them from bounded
 * queues on threads of their own. Start with {@link io.fairlead.hosted.watchcache.RevisionFeed}.
 */
@NullMarked
package io.fairlead.hosted.watchcache;

import org.jspecify.annotations.NullMarked;
