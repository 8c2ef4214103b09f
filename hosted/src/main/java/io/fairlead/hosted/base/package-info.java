/**
 * The base handler of a hosted cluster: serves built-in kinds, discovery, OpenAPI and non-resource paths; custom
 * resources are not its concern.
 *
 * <p>Start with {@link io.fairlead.hosted.base.BaseHandler}.
 */
@NullMarked
package io.fairlead.hosted.base;

import org.jspecify.annotations.NullMarked;
