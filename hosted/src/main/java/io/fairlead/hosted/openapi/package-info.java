/**
 * OpenAPI of a hosted cluster: in v3 one document per group and version, for {@code kubectl apply} and
 * {@code kubectl explain} (KEP-2896).
 *
 * <p>A document is rebuilt only if a type of its version changed. Start with
 * {@link io.fairlead.hosted.openapi.OpenApi}.
 */
@NullMarked
package io.fairlead.hosted.openapi;

import org.jspecify.annotations.NullMarked;
