/**
 * The front end as a whole: its parts, and the order of a request's stages.
 *
 * <p>Start with {@code Stages}, which each request passes; {@link io.fairlead.gateway.edge.EdgeServer} assembles it.
 */
@NullMarked
package io.fairlead.gateway.edge;

import org.jspecify.annotations.NullMarked;
