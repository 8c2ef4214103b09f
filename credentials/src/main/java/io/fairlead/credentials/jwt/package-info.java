/**
 * Signed tokens (JWS, RFC 7515, with the claims of a JWT, RFC 7519): read, verified by the keys of an issuer, and signed.
 *
 * <p>Only this room knows how a signature is made. Start with {@link io.fairlead.credentials.jwt.SignedToken}.
 */
@NullMarked
package io.fairlead.credentials.jwt;

import org.jspecify.annotations.NullMarked;
