/**
 * Which handler answers: the index says SERVED, ABSENT or UNKNOWN, and UNKNOWN is never shown as 404.
 *
 * <p>Start with {@link io.fairlead.gateway.route.Router}.
 */
@NullMarked
package io.fairlead.gateway.route;

import org.jspecify.annotations.NullMarked;
