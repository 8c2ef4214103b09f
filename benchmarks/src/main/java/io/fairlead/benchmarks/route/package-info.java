/**
 * What it costs a request that the serves index decides its route. Start with {@link
 * io.fairlead.benchmarks.route.RouteReport}, which runs everything and writes the result down.
 */
@NullMarked
package io.fairlead.benchmarks.route;

import org.jspecify.annotations.NullMarked;
