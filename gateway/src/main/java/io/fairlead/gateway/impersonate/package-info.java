/**
 * Whether a caller may be somebody else. Nobody may yet: a request that tries is refused before anything goes upstream.
 *
 * <p>Start with {@link io.fairlead.gateway.impersonate.Acting}.
 */
@NullMarked
package io.fairlead.gateway.impersonate;

import org.jspecify.annotations.NullMarked;
