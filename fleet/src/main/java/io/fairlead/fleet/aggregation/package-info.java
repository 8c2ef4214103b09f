/**
 * What hosted clusters lead to outside of them: the backend of each APIService, whether it is available and what it serves, and the
 * conversion webhooks of definitions.
 *
 * <p>Start with {@link io.fairlead.fleet.aggregation.AggregatedApis}.
 */
@NullMarked
package io.fairlead.fleet.aggregation;

import org.jspecify.annotations.NullMarked;
