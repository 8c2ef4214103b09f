package io.fairlead.gateway.impersonate;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds out as whom a request acts: as its caller, or as whom its {@code Impersonate-} headers name if the addressed cluster
 * allows the caller to do so. The rules are kube-apiserver's; hosted clusters answer by their RBAC, attached ones are asked by
 * a SubjectAccessReview. Nothing but the answer goes on: the cluster sees one user, computed here.
 *
 * <p>Threads: any; {@code in} can block and belongs on a virtual thread.
 */
public final class Impersonation {
    private static final String ANONYMOUS = "system:anonymous";

    /** What an API server adds itself. */
    private static final Set<String> EVERYBODY = Set.of(UserInfo.AUTHENTICATED, UserInfo.UNAUTHENTICATED);

    private final AccessReviews reviews;

    public Impersonation(AccessReviews reviews) {
        this.reviews = reviews;
    }

    /** Whether the request names nobody to act as, so that it is decided on the spot. */
    public boolean isAtOnce(Entered entered) {
        return !ImpersonationHeaders.areIn(headers(entered));
    }

    /** As whom a request acts that names nobody: as its caller. */
    public Acting asThemselves(Entered entered) {
        return new Acting(entered, entered.identity().user());
    }

    /**
     * As whom a request that names somebody acts in a hosted cluster. Whoever may do everything there may still not become
     * {@code system:masters}: that group is the gateway's own to give.
     *
     * @throws StatusException with 400 or 403
     */
    public Acting in(HostedCluster cluster, Entered entered) {
        UserInfo wanted = ImpersonationHeaders.wanted(headers(entered));
        if (wanted.groups().contains(UserInfo.MASTERS) && !isMaster(entered.identity())) {
            throw refusal(
                    UserInfo.MASTERS,
                    "only a caller whom the gateway itself takes for one of its members can act as" + " one");
        }
        UserInfo caller = entered.identity().user();
        for (RequestInfo right : ImpersonationRights.of(wanted)) {
            switch (cluster.authorize(caller, right)) {
                case Decision.Allowed _ -> {}
                case Decision.Denied(String reason) ->
                    throw new StatusException(Status.forbidden(caller, right, reason));
            }
        }
        return new Acting(entered, completed(wanted));
    }

    /**
     * As whom a request that names somebody acts in an attached cluster, which is asked about the caller as it is presented there. A group
     * that is not passed on to this cluster is refused, for without it the request would mean something else.
     *
     * @throws StatusException with 400 or 403, or what is wrong with the cluster's answer
     */
    public Acting in(ClusterEntry.Attached cluster, Entered entered) {
        UserInfo wanted = ImpersonationHeaders.wanted(headers(entered));
        UserInfo completed = completed(wanted);
        UpstreamIdentity identity = cluster.base().identity();
        for (String group : completed.groups()) {
            if (!identity.presents(group) && !EVERYBODY.contains(group)) {
                throw refusal(
                        group,
                        "cluster \"" + cluster.name()
                                + "\" is not told of it (spec.attached.impersonation of the Cluster)");
            }
        }
        Identity caller = entered.identity();
        reviews.require(cluster, caller.caller(), identity.presented(caller.user()), ImpersonationRights.of(wanted));
        return new Acting(entered, completed);
    }

    private static HttpHeaders headers(Entered entered) {
        return entered.described().received().headers();
    }

    private static boolean isMaster(Identity caller) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> user.groups().contains(UserInfo.MASTERS);
            case Identity.OfCluster _ -> false;
        };
    }

    /** Adds the groups that Kubernetes adds: those of a ServiceAccount if none are named, and that of every caller. */
    private static UserInfo completed(UserInfo wanted) {
        List<String> groups = new ArrayList<>(wanted.groups());
        ServiceAccountName account = ServiceAccountName.of(wanted.name());
        if (groups.isEmpty() && account != null) {
            groups.addAll(account.groups());
        }
        boolean isAnonymous = wanted.name().equals(ANONYMOUS);
        if (isAnonymous || !groups.contains(UserInfo.UNAUTHENTICATED)) {
            String everybody = isAnonymous ? UserInfo.UNAUTHENTICATED : UserInfo.AUTHENTICATED;
            if (!groups.contains(everybody)) {
                groups.add(everybody);
            }
        }
        return new UserInfo(wanted.name(), wanted.uid(), groups, wanted.extra());
    }

    private static StatusException refusal(String group, String why) {
        return new StatusException(
                Status.of(403, "Forbidden", "header \"Impersonate-Group\": \"" + group + "\": " + why));
    }
}
