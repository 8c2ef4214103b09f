/**
 * What holds for the objects of every kind: metadata, names, selectors, refusals, typed decoding.
 *
 * <p>Functions on trees without shared state; any thread. Start with {@link io.fairlead.hosted.meta.Meta} and
 * {@link io.fairlead.hosted.meta.Refusals}.
 */
@NullMarked
package io.fairlead.hosted.meta;

import org.jspecify.annotations.NullMarked;
