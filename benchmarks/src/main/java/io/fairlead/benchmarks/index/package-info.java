/**
 * Speed and size of the index beside the reference design: one lock around a map with joined keys.
 *
 * <p>Start with {@link io.fairlead.benchmarks.index.IndexReport}, which runs everything and writes the result down.
 */
@NullMarked
package io.fairlead.benchmarks.index;

import org.jspecify.annotations.NullMarked;
