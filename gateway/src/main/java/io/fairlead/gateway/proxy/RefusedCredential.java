package io.fairlead.gateway.proxy;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.route.ToAttached;

/**
 * Whether an attached cluster's answer refuses Fairlead's own credential. The caller's never goes there, so that a 401 with its
 * {@code WWW-Authenticate} says nothing to the caller.
 */
final class RefusedCredential {
    private static final int UNAUTHORIZED = 401;

    private RefusedCredential() {}

    /** Behind {@code proxy} a 401 is the workload's, which wants a login of its own. */
    static boolean isTold(int status, ToAttached request) {
        return status == UNAUTHORIZED
                && switch (request.backend().identity()) {
                    case UpstreamIdentity.Impersonate _ -> !request.described().isProxied();
                };
    }
}
