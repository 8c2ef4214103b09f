/**
 * What it costs to know what a type means. Start with {@link io.fairlead.benchmarks.types.TypesReport}, which runs everything and
 * writes the result down.
 */
@NullMarked
package io.fairlead.benchmarks.types;

import org.jspecify.annotations.NullMarked;
