/**
 * What objects said of their conditions, as it was observed: a bounded time line for each, and whether the times that
 * are stated contradict it.
 *
 * <p>Values, but for the store, which any thread may use. Start with {@link io.fairlead.index.conditions.TimeLine}.
 */
@NullMarked
package io.fairlead.index.conditions;

import org.jspecify.annotations.NullMarked;
