package io.fairlead.gateway.authz;

import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;

/** A request that its hosted cluster allows. */
public final class Authorized {
    private final Acting acting;
    private final HostedCluster cluster;

    private Authorized(Acting acting, HostedCluster cluster) {
        this.acting = acting;
        this.cluster = cluster;
    }

    /**
     * Asks the cluster; can block.
     *
     * @throws StatusException with 403, worded as Kubernetes words it
     */
    public static Authorized by(HostedCluster cluster, Acting acting) {
        RequestInfo info = acting.entered().described().info();
        return switch (cluster.authorize(acting.user(), info)) {
            case HostedCluster.Decision.Allowed _ -> new Authorized(acting, cluster);
            case HostedCluster.Decision.Denied(String reason) ->
                throw new StatusException(Forbidden.status(acting.user(), info, reason));
        };
    }

    public Acting acting() {
        return acting;
    }

    public HostedCluster cluster() {
        return cluster;
    }

    public UserInfo user() {
        return acting.user();
    }

    public RequestInfo info() {
        return acting.entered().described().info();
    }
}
