/**
 * As whom a request acts in a cluster: its caller, or another user if that cluster lets the caller impersonate one.
 *
 * <p>Start with {@link io.fairlead.gateway.impersonate.Impersonation}.
 */
@NullMarked
package io.fairlead.gateway.impersonate;

import org.jspecify.annotations.NullMarked;
