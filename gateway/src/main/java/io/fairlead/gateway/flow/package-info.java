/**
 * Concurrency limits: in total and for each cluster, so that one cluster cannot starve the others.
 *
 * <p>Counters, which admit or refuse at once and never block; fair queues would take their place and make the same
 * {@link io.fairlead.gateway.flow.Admitted}. Start with {@link io.fairlead.gateway.flow.Flow}.
 */
@NullMarked
package io.fairlead.gateway.flow;

import org.jspecify.annotations.NullMarked;
