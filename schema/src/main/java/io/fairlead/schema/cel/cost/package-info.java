/**
 * What an expression may cost at most, before it is evaluated (cel-go {@code checker/cost.go}, apiserver {@code
 * cel/library/cost.go}).
 *
 * <p>Everything but {@link io.fairlead.schema.cel.cost.StaticCost} is immutable. Start there.
 */
@NullMarked
package io.fairlead.schema.cel.cost;

import org.jspecify.annotations.NullMarked;
