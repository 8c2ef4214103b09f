/**
 * APIServices inside of hosted clusters: which backend each of them leads to, whether it is available, what it serves, and the
 * connections to it.
 *
 * <p>Start with {@link io.fairlead.fleet.aggregation.AggregatedApis}.
 */
@NullMarked
package io.fairlead.fleet.aggregation;

import org.jspecify.annotations.NullMarked;
