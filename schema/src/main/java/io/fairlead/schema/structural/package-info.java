/**
 * Structural schemas of CustomResourceDefinitions (KEP-1693, apiextensions {@code apiserver/schema}): what they must be,
 * and what they do to objects - pruning, defaulting, validation.
 *
 * <p>Schemas are immutable and safe for any thread; objects are changed in place where a function says so. Start with
 * {@link io.fairlead.schema.structural.StructuralSchema}.
 */
@NullMarked
package io.fairlead.schema.structural;

import org.jspecify.annotations.NullMarked;
