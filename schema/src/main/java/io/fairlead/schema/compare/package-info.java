/**
 * What becomes of objects when one definition of a type takes the place of another.
 *
 * <p>Pure functions on canonical forms ({@link io.fairlead.schema.digest}): no I/O, no shared state, nothing is changed.
 * {@code docs/types.md} says what each verdict promises and which rule leads to it. Start with {@link
 * io.fairlead.schema.compare.TypeComparison}.
 */
@NullMarked
package io.fairlead.schema.compare;

import org.jspecify.annotations.NullMarked;
