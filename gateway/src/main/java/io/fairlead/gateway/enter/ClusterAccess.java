package io.fairlead.gateway.enter;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;

/**
 * The permission to enter clusters, and to read the gateway's own paths.
 *
 * <p>Threads: any; {@link #mayEnter} and {@link #mayRead} can block in the root cluster's RBAC and belong on virtual
 * threads, {@link #always} does not.
 */
public final class ClusterAccess {
    /** The group that may enter every cluster, besides {@code system:masters}; only in the gateway's realm. */
    public static final String ADMINS = "fairlead:admins";

    private static final String GROUP = "fairlead.io";
    private static final String VERSION = "v1alpha1";

    private final HostedCluster root;

    public ClusterAccess(HostedCluster root) {
        this.root = root;
    }

    /** Whether the caller may enter every cluster, which needs no look-up. */
    public boolean always(Identity caller) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> isAdmin(user.groups());
            case Identity.OfCluster _ -> false;
        };
    }

    /** Whether the caller may enter a cluster, which need not exist. */
    public boolean mayEnter(Identity caller, ClusterName cluster) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) ->
                isAdmin(user.groups()) || isAllowedInRoot(user, accessTo(cluster));
            case Identity.OfCluster(ClusterName home, UserInfo _) -> home.equals(cluster);
        };
    }

    /** Whether the caller may read a non-resource path of the gateway: by the root cluster's RBAC. */
    public boolean mayRead(Identity caller, RequestInfo info) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> isAdmin(user.groups()) || isAllowedInRoot(user, info);
            case Identity.OfCluster _ -> false;
        };
    }

    private static boolean isAdmin(List<String> groups) {
        return groups.contains(UserInfo.MASTERS) || groups.contains(ADMINS);
    }

    private boolean isAllowedInRoot(UserInfo user, RequestInfo info) {
        return switch (root.authorize(user, info)) {
            case HostedCluster.Decision.Allowed _ -> true;
            case HostedCluster.Decision.Denied _ -> false;
        };
    }

    private static RequestInfo accessTo(ClusterName cluster) {
        return new RequestInfo(
                true,
                "/apis/" + GROUP + "/" + VERSION + "/clusters/" + cluster,
                "access",
                "apis",
                GROUP,
                VERSION,
                "",
                "clusters",
                "",
                cluster.value(),
                "");
    }
}
