/**
 * Whether a caller may do what it asks for: hosted clusters are asked here, attached ones decide themselves.
 *
 * <p>Start with {@link io.fairlead.gateway.authz.Authorized}.
 */
@NullMarked
package io.fairlead.gateway.authz;

import org.jspecify.annotations.NullMarked;
