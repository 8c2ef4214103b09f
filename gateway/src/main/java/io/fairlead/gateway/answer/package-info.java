/**
 * Answers: what each of them carries, whoever gives it.
 *
 * <p>On event loops. Start with {@link io.fairlead.gateway.answer.Reply}.
 */
@NullMarked
package io.fairlead.gateway.answer;

import org.jspecify.annotations.NullMarked;
