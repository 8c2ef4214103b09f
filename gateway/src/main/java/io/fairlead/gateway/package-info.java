/**
 * The process: where it begins, what it logs, and how its parts are wired together and taken down again.
 *
 * <p>Start with {@link io.fairlead.gateway.Main} and {@link io.fairlead.gateway.Gateway}.
 */
@NullMarked
package io.fairlead.gateway;

import org.jspecify.annotations.NullMarked;
