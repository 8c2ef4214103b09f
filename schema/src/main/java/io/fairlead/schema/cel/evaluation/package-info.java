/**
 * Programs made of checked expressions, and their evaluation within bounds of cost (cel-go {@code interpreter}).
 *
 * <p>Programs are immutable and safe for any thread; a frame is one evaluation, of one thread. Start with {@link
 * io.fairlead.schema.cel.evaluation.Planner}.
 */
@NullMarked
package io.fairlead.schema.cel.evaluation;

import org.jspecify.annotations.NullMarked;
