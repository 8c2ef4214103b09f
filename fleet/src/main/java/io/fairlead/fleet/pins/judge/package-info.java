/**
 * What is known of clusters' types, and how pins judge it.
 *
 * <p>Values and caches; any thread, never blocks. Start with {@link io.fairlead.fleet.pins.judge.Judge}.
 */
@NullMarked
package io.fairlead.fleet.pins.judge;

import org.jspecify.annotations.NullMarked;
