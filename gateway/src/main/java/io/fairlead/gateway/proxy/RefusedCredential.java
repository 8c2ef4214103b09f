package io.fairlead.gateway.proxy;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.route.ToAttached;

/**
 * Whether an attached cluster's answer refuses Fairlead's own credential. Where the caller's is not sent, a 401
 * with its {@code WWW-Authenticate} does not concern the caller.
 */
final class RefusedCredential {
    private static final int UNAUTHORIZED = 401;

    private RefusedCredential() {}

    /** Behind {@code proxy} a 401 is the workload's own. */
    static boolean isTold(int status, ToAttached request) {
        return status == UNAUTHORIZED
                && switch (request.backend().identity()) {
                    case UpstreamIdentity.Aggregated _, UpstreamIdentity.Passthrough _ -> false;
                    case UpstreamIdentity.Impersonate _, UpstreamIdentity.RequestHeader _ ->
                        !request.described().isProxied();
                };
    }
}
