package io.fairlead.gateway.authn;

import io.fairlead.gateway.select.Target;

/**
 * A bearer token (RFC 6750) that nothing has accepted yet, and where it was sent: what some vouch for is good there alone.
 *
 * @param token without the scheme; not empty
 * @param target of the request
 */
public record Bearer(String token, Target target) {
    /** Whether it has the form of a signed token (RFC 7515 section 7.1): three parts with a point between two. */
    public boolean isInThreeParts() {
        int first = token.indexOf('.');
        int last = token.lastIndexOf('.');
        return first > 0 && last > first && token.indexOf('.', first + 1) == last;
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Bearer[]";
    }
}
