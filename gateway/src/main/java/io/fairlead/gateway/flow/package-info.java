/**
 * How much is served at once: in total and for each cluster, so that one cannot take what the others need.
 *
 * <p>Counters today, which admit or refuse at once and never block; whatever queues fairly one day stands in the same place
 * and makes the same {@link io.fairlead.gateway.flow.Admitted}. Start with {@link io.fairlead.gateway.flow.Flow}.
 */
@NullMarked
package io.fairlead.gateway.flow;

import org.jspecify.annotations.NullMarked;
