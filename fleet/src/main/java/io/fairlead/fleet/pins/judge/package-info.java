/**
 * What is known of clusters' types, and what a pin says of it.
 *
 * <p>Values and caches; any thread, never blocks. Start with {@link io.fairlead.fleet.pins.judge.Judge}.
 */
@NullMarked
package io.fairlead.fleet.pins.judge;

import org.jspecify.annotations.NullMarked;
