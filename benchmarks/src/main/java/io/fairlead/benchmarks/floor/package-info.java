/**
 * The gateway with its stages removed: what remains of the cost of a request is that of the libraries and the kernel.
 *
 * <p>Requests stay on their event loops. Start with {@link io.fairlead.benchmarks.floor.FloorServer}.
 */
@NullMarked
package io.fairlead.benchmarks.floor;

import org.jspecify.annotations.NullMarked;
