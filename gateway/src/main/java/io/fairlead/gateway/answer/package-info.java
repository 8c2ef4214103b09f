/**
 * The parts that every answer has, whichever handler gives it.
 *
 * <p>On event loops. Start with {@link io.fairlead.gateway.answer.Reply}.
 */
@NullMarked
package io.fairlead.gateway.answer;

import org.jspecify.annotations.NullMarked;
