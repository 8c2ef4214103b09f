/**
 * Counting requests and connections, and the plain listener that Prometheus scrapes.
 *
 * <p>Labels are bounded, and a removed cluster's series vanish. Start with
 * {@link io.fairlead.gateway.metrics.MetricsServer}.
 */
@NullMarked
package io.fairlead.gateway.metrics;

import org.jspecify.annotations.NullMarked;
