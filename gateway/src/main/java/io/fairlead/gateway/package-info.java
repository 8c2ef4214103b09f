/**
 * A server as a process: wires its parts, closes them, and reloads files meanwhile.
 *
 * <p>Start with {@link io.fairlead.gateway.Gateway}.
 */
@NullMarked
package io.fairlead.gateway;

import org.jspecify.annotations.NullMarked;
