/**
 * Concurrency limits and fair shares: no cluster, and no caller in it, can starve the others.
 *
 * <p>Long-running requests are counted, and admitted or refused at once. Short calls beyond their limits wait in fair queues;
 * nothing blocks. Start with {@link io.fairlead.gateway.flow.Flow}.
 */
@NullMarked
package io.fairlead.gateway.flow;

import org.jspecify.annotations.NullMarked;
