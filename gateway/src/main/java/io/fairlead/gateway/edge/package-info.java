/**
 * The front end as a whole: what it is made of, and the order in which a request passes the stages.
 *
 * <p>Start with {@code Stages}, which each request passes; {@link io.fairlead.gateway.edge.EdgeServer} puts it together.
 */
@NullMarked
package io.fairlead.gateway.edge;

import org.jspecify.annotations.NullMarked;
