/**
 * Identifies the caller of a request and its realm: client certificates, static tokens and the tokens
 * of issuers.
 *
 * <p>On event loops authenticators say what they know at once; what must be asked for is asked on virtual threads. A credential that none accepts is 401, never anonymous. Start
 * with {@link io.fairlead.gateway.authn.Identity}.
 */
@NullMarked
package io.fairlead.gateway.authn;

import org.jspecify.annotations.NullMarked;
