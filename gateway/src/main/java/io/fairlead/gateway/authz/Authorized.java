package io.fairlead.gateway.authz;

import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
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
     * Checks the cluster's RBAC; can block.
     *
     * @throws StatusException with 403, in Kubernetes' words
     */
    public static Authorized by(HostedCluster cluster, Admitted admitted) {
        UserInfo user = admitted.acting().user();
        Described described = admitted.acting().entered().described();
        require(cluster, user, described.info());
        if (described.isPodStream() && described.info().verb().equals("get")) {
            // A WebSocket can only be a GET, and must not be allowed by the right to read (feature
            // AuthorizePodWebsocketUpgradeCreatePermission of kube-apiserver).
            require(cluster, user, described.info().withVerb("create"));
        }
        return new Authorized(admitted, cluster);
    }

    private static void require(HostedCluster cluster, UserInfo user, RequestInfo asked) {
        switch (cluster.authorize(user, asked)) {
            case HostedCluster.Decision.Allowed _ -> {}
            case HostedCluster.Decision.Denied(String reason) ->
                throw new StatusException(Status.forbidden(user, asked, reason));
        }
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
