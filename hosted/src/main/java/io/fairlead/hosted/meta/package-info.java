/**
 * The common parts of all kinds: metadata, names, selectors, refusals, typed decoding.
 *
 * <p>Stateless functions on trees; any thread. Start with {@link io.fairlead.hosted.meta.Meta} and
 * {@link io.fairlead.hosted.meta.Refusals}.
 */
@NullMarked
package io.fairlead.hosted.meta;

import org.jspecify.annotations.NullMarked;
