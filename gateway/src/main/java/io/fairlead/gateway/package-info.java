/**
 * A server as a process: how its parts are wired together and taken down again, and which files it reads anew meanwhile.
 *
 * <p>Start with {@link io.fairlead.gateway.Gateway}.
 */
@NullMarked
package io.fairlead.gateway;

import org.jspecify.annotations.NullMarked;
