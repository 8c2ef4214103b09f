package io.fairlead.gateway.authz;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.info.Described;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that its hosted cluster allows. */
public final class Authorized {
    private final Admitted admitted;
    private final HostedCluster cluster;
    private final String reason;
    private final @Nullable Consumer<RequestInfo> creationCheck;

    private Authorized(
            Admitted admitted, HostedCluster cluster, String reason, @Nullable Consumer<RequestInfo> creationCheck) {
        this.admitted = admitted;
        this.cluster = cluster;
        this.reason = reason;
        this.creationCheck = creationCheck;
    }

    /**
     * Checks the cluster's RBAC; can block. What is published in another cluster was allowed by that one's, and is
     * allowed if it is published; nothing is created there in a namespace that the other one has not.
     *
     * @throws StatusException with 403, in Kubernetes' words; with what {@link Targets} say of a namespace
     */
    public static Authorized by(HostedCluster cluster, Admitted admitted, Targets targets) {
        return switch (admitted.acting().entered().identity()) {
            case Identity.OfGateway _, Identity.OfCluster _ ->
                new Authorized(admitted, cluster, requireRights(cluster, admitted.acting()), null);
            case Identity.OfPublication publication -> {
                RequestInfo asked = admitted.acting().entered().described().info();
                Published.require(publication, cluster, asked);
                if (asked.verb().equals("create")) {
                    targets.requireNamespace(publication, asked);
                }
                yield new Authorized(admitted, cluster, "", creation -> targets.requireCreation(publication, creation));
            }
        };
    }

    private static String requireRights(HostedCluster cluster, Acting acting) {
        UserInfo user = acting.user();
        Described described = acting.entered().described();
        String reason = require(cluster, user, described.info());
        if (described.isPodStream() && described.info().verb().equals("get")) {
            // A WebSocket can only be a GET, and must not be allowed by the right to read (feature
            // AuthorizePodWebsocketUpgradeCreatePermission of kube-apiserver).
            return require(cluster, user, described.info().withVerb("create"));
        }
        return reason;
    }

    /** Why it is allowed. */
    static String require(HostedCluster cluster, UserInfo user, RequestInfo asked) {
        return switch (cluster.authorize(user, asked)) {
            case HostedCluster.Decision.Allowed(String reason) -> reason;
            case HostedCluster.Decision.Denied(String reason) ->
                throw new StatusException(Status.forbidden(user, asked, reason));
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

    /** Why the cluster allows it, in Kubernetes' words; may be empty. */
    public String reason() {
        return reason;
    }

    /** Of a user of another cluster, as {@link io.fairlead.hosted.ApiRequest#creationCheck} has it. */
    public @Nullable Consumer<RequestInfo> creationCheck() {
        return creationCheck;
    }

    public RequestInfo info() {
        return acting().entered().described().info();
    }
}
