/**
 * Which cluster a request is for: selected by the path's prefix, a header or the host.
 *
 * <p>Pure and non-blocking; runs on event loops. Start with {@link io.fairlead.gateway.select.Selector}.
 */
@NullMarked
package io.fairlead.gateway.select;

import org.jspecify.annotations.NullMarked;
