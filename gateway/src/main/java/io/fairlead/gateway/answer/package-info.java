/**
 * The parts of answers that do not depend on which handler gives them: replies, streams, statuses, WebSockets.
 *
 * <p>On event loops. Start with {@link io.fairlead.gateway.answer.Reply}.
 */
@NullMarked
package io.fairlead.gateway.answer;

import org.jspecify.annotations.NullMarked;
