package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.HttpMethod;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;

/**
 * Requests that may change something in a cluster that is another one than before: they are refused until a person has
 * confirmed that it is meant. What is upgraded may change something, whatever its method.
 */
final class HeldWrites {
    private static final String CAUSE = "ClusterIdentityMoved";

    private HeldWrites() {}

    /** @throws StatusException with 503 for such a request */
    static void requireNone(ToAttached request) {
        if (request.cluster().holdsWrites() && mayChange(request)) {
            throw new StatusException(held(request.cluster().name()));
        }
    }

    private static boolean mayChange(ToAttached request) {
        HttpMethod method = request.described().received().method();
        boolean isRead =
                method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD) || method.equals(HttpMethod.OPTIONS);
        return !isRead
                || request.described().offersUpgrade()
                || request.described().isProxied();
    }

    private static Status held(ClusterName cluster) {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster + "\": its endpoints lead to another cluster than before, so that nothing may be"
                        + " changed in it (expected 'fairlead cluster confirm "
                        + cluster + "' by an administrator, or the endpoints of the cluster before)",
                CAUSE,
                0);
    }
}
