/**
 * What hosted clusters cost: how soon one is there, and how much heap it takes while nothing happens in it.
 *
 * <p>Start with {@link io.fairlead.benchmarks.hosted.HostedReport}, which runs everything and writes the result down.
 */
@NullMarked
package io.fairlead.benchmarks.hosted;

import org.jspecify.annotations.NullMarked;
