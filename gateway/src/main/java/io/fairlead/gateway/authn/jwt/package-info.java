/**
 * Bearer tokens that OpenID providers have signed, as the file of kube-apiserver's {@code --authentication-config} describes them
 * (KEP-3331): which issuers are trusted, where their keys are, and whom the claims of a token name.
 *
 * <p>Start with {@link io.fairlead.gateway.authn.jwt.JwtIssuers}.
 */
@NullMarked
package io.fairlead.gateway.authn.jwt;

import org.jspecify.annotations.NullMarked;
