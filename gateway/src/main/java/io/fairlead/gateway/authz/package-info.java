/**
 * Authorises requests: to hosted clusters here; attached clusters authorise themselves.
 *
 * <p>Start with {@link io.fairlead.gateway.authz.Authorized}.
 */
@NullMarked
package io.fairlead.gateway.authz;

import org.jspecify.annotations.NullMarked;
