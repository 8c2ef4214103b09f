/**
 * The base handler of a hosted cluster: serves built-in kinds, discovery, OpenAPI and paths that are no resources, and knows no custom
 * resource.
 *
 * <p>Start with {@link io.fairlead.hosted.base.BaseHandler}.
 */
@NullMarked
package io.fairlead.hosted.base;

import org.jspecify.annotations.NullMarked;
