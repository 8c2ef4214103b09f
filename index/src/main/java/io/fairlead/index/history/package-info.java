/**
 * The history of a watch: whether the resourceVersions of its events only grow, and what to do with an event that goes
 * back.
 *
 * <p>Pure data structures: no network, no JSON, no threads. A {@link io.fairlead.index.history.WatchGuard} belongs to one
 * stream and one thread, an {@link io.fairlead.index.history.InformerGuard} to one informer; everything else is a value.
 * Start with {@link io.fairlead.index.history.WatchRules} and {@link io.fairlead.index.history.InformerRules}, which have
 * the tables of decisions.
 */
@NullMarked
package io.fairlead.index.history;

import org.jspecify.annotations.NullMarked;
