/**
 * Identifies the caller of a request and its realm: users that front proxies name, client certificates, static tokens, and
 * tokens of issuers, ServiceAccounts and attached clusters.
 *
 * <p>On event loops authenticators say what they know at once; what must be asked for is asked on virtual threads. A credential that none accepts is 401, never anonymous. Start
 * with {@link io.fairlead.gateway.authn.Identity}.
 */
@NullMarked
package io.fairlead.gateway.authn;

import org.jspecify.annotations.NullMarked;
