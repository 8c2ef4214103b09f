/**
 * What is measured, and how it is written down. Start with {@link io.fairlead.benchmarks.Benchmarks}; the method and every
 * yardstick are named in the reports themselves.
 */
@NullMarked
package io.fairlead.benchmarks;

import org.jspecify.annotations.NullMarked;
