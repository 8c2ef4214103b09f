/**
 * Identifies the caller of a request and its realm: client certificates and static tokens of the gateway.
 *
 * <p>Authenticators never block; they run on event loops. A credential that none accepts is 401, never anonymous. Start
 * with {@link io.fairlead.gateway.authn.Identity}.
 */
@NullMarked
package io.fairlead.gateway.authn;

import org.jspecify.annotations.NullMarked;
