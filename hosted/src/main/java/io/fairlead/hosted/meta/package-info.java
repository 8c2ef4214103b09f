/**
 * The common parts of all kinds: metadata, given and generated names, selectors, conditions, refusals and their causes.
 *
 * <p>Stateless functions on trees; any thread. Start with {@link io.fairlead.hosted.meta.Meta} and
 * {@link io.fairlead.hosted.meta.Refusals}.
 */
@NullMarked
package io.fairlead.hosted.meta;

import org.jspecify.annotations.NullMarked;
