package io.fairlead.gateway.authn;

import io.fairlead.gateway.select.Target;

/**
 * A bearer token (RFC 6750) that nothing has accepted yet, and where it was sent: what some vouch for is good there alone.
 *
 * @param token without the scheme; not empty
 * @param target of the request
 */
public record Bearer(String token, Target target) {
    /** Omits the token. */
    @Override
    public String toString() {
        return "Bearer[]";
    }
}
