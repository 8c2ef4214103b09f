/**
 * The effective user of a request in a cluster: its caller, or another user if the cluster lets the caller impersonate.
 *
 * <p>Start with {@link io.fairlead.gateway.impersonate.Impersonation}.
 */
@NullMarked
package io.fairlead.gateway.impersonate;

import org.jspecify.annotations.NullMarked;
