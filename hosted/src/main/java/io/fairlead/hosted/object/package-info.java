/**
 * What holds for the objects of every kind: metadata, names, selectors, refusals, typed decoding.
 *
 * <p>Functions on trees without shared state; any thread. Start with {@link io.fairlead.hosted.object.Meta} and
 * {@link io.fairlead.hosted.object.Refusals}.
 */
@NullMarked
package io.fairlead.hosted.object;

import org.jspecify.annotations.NullMarked;
