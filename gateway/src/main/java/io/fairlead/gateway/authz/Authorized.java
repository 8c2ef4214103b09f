package io.fairlead.gateway.authz;

import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;

/** A request that its hosted cluster allows. */
public final class Authorized {
    private final Admitted admitted;
    private final HostedCluster cluster;

    private Authorized(Admitted admitted, HostedCluster cluster) {
        this.admitted = admitted;
        this.cluster = cluster;
    }

    /**
     * Asks the cluster; can block.
     *
     * @throws StatusException with 403, worded as Kubernetes words it
     */
    public static Authorized by(HostedCluster cluster, Admitted admitted) {
        Acting acting = admitted.acting();
        RequestInfo info = acting.entered().described().info();
        return switch (cluster.authorize(acting.user(), info)) {
            case HostedCluster.Decision.Allowed _ -> new Authorized(admitted, cluster);
            case HostedCluster.Decision.Denied(String reason) ->
                throw new StatusException(Status.forbidden(acting.user(), info, reason));
        };
    }

    public Acting acting() {
        return admitted.acting();
    }

    public HostedCluster cluster() {
        return cluster;
    }

    public UserInfo user() {
        return acting().user();
    }

    public RequestInfo info() {
        return acting().entered().described().info();
    }
}
