/**
 * As whom a request acts in a cluster: a caller may be somebody else there if that cluster says so.
 *
 * <p>Start with {@link io.fairlead.gateway.impersonate.Impersonation}.
 */
@NullMarked
package io.fairlead.gateway.impersonate;

import org.jspecify.annotations.NullMarked;
