/**
 * Which cluster a request is for: the path's prefix, a header or the host names an id, the directory says what is registered under it.
 *
 * <p>Pure and non-blocking; runs on event loops. Start with {@link io.fairlead.gateway.select.ClusterDirectory}.
 */
@NullMarked
package io.fairlead.gateway.select;

import org.jspecify.annotations.NullMarked;
