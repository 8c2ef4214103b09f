/**
 * Which cluster a request is for: the path's prefix picks an id, the directory says what is registered under it.
 *
 * <p>Pure and non-blocking; runs on event loops. Start with {@link io.fairlead.gateway.select.ClusterDirectory}.
 */
@NullMarked
package io.fairlead.gateway.select;

import org.jspecify.annotations.NullMarked;
