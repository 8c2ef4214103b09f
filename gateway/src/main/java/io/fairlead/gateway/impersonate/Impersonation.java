package io.fairlead.gateway.impersonate;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.OwnUser;
import io.fairlead.http.MutableFields;
import io.fairlead.model.CallerName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the effective user of a request: its caller, or the user in its {@code Impersonate-} headers if the
 * addressed cluster allows that. The rules are kube-apiserver's; hosted clusters decide by their RBAC, attached ones by
 * a SubjectAccessReview. No header is passed on: the cluster sees one user, computed here.
 *
 * <p>Threads: any; {@code in} can block and belongs on a virtual thread.
 */
public final class Impersonation {
    private static final String ANONYMOUS = "system:anonymous";

    /** The groups that an API server adds. */
    private static final Set<String> EVERYBODY = Set.of(UserInfo.AUTHENTICATED, UserInfo.UNAUTHENTICATED);

    private final AccessReviews reviews;

    public Impersonation(AccessReviews reviews) {
        this.reviews = reviews;
    }

    /** Whether the request does not impersonate, so that no review is needed. */
    public boolean isAtOnce(Entered entered) {
        return !ImpersonationHeaders.areIn(headers(entered));
    }

    /** The effective user of a request without impersonation: its caller. */
    public Acting asThemselves(Entered entered) {
        return new Acting(entered, null);
    }

    /**
     * The effective user of an impersonating request in a hosted cluster. Even a caller with all rights there cannot
     * become {@code system:masters}: only the gateway grants that group.
     *
     * @throws StatusException with 400 or 403
     */
    public Acting in(HostedCluster cluster, Entered entered) {
        if (entered.identity() instanceof Identity.OfPublication) {
            ImpersonationHeaders.requireNone(headers(entered));
        }
        UserInfo wanted = ImpersonationHeaders.wanted(headers(entered));
        if (wanted.groups().contains(UserInfo.MASTERS) && !isMaster(entered.identity())) {
            throw refusal(
                    UserInfo.MASTERS,
                    "only a caller whom the gateway itself takes for one of its members can act as" + " one");
        }
        if (OwnUser.is(CallerName.ofGateway(wanted.name()))) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "header \"Impersonate-User\": \"" + wanted.name() + "\": no client acts as Fairlead itself"));
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
     * The effective user of an impersonating request in an attached cluster, which reviews the caller as presented
     * there. Where it has constrained impersonation, that is tried first, as API servers do, for the very request that is sent. A group that is not passed on to this cluster is refused, since the request would act without it. A cluster that is sent
     * the caller's own token decides itself about the user in these headers, exactly as they are.
     *
     * @throws StatusException with 400 or 403, or as for a failed review
     */
    public Acting in(ClusterEntry.Attached cluster, Entered entered) {
        UserInfo wanted = ImpersonationHeaders.wanted(headers(entered));
        UpstreamIdentity identity = cluster.base().identity();
        if (identity instanceof UpstreamIdentity.Passthrough) {
            return new Acting(entered, wanted);
        }
        Optional<ConstrainedMode> mode =
                identity.hasConstrainedImpersonation() ? ConstrainedMode.of(wanted) : Optional.empty();
        UserInfo effective = completed(wanted);
        UserInfo constrained = mode.map(way -> completed(way.acting(wanted))).orElse(effective);
        requirePresented(cluster, effective);
        List<List<RequestInfo>> ways = new ArrayList<>();
        RequestInfo request = entered.described().info();
        mode.ifPresent(way -> ways.add(ImpersonationRights.of(way, wanted, request)));
        ways.add(ImpersonationRights.of(wanted));
        Identity caller = entered.identity();
        int allowed = reviews.requireOne(cluster, caller.caller(), identity.presented(caller.user()), ways);
        if (allowed == ways.size() - 1) {
            return new Acting(entered, effective);
        }
        requirePresented(cluster, constrained);
        return new Acting(entered, constrained);
    }

    private static void requirePresented(ClusterEntry.Attached cluster, UserInfo user) {
        for (String group : user.groups()) {
            if (!cluster.base().identity().presents(group) && !EVERYBODY.contains(group)) {
                throw refusal(
                        group,
                        "cluster \"" + cluster.name()
                                + "\" is not told of it (spec.attached.impersonation of the Cluster)");
            }
        }
    }

    private static MutableFields headers(Entered entered) {
        return entered.described().received().headers();
    }

    private static boolean isMaster(Identity caller) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> user.groups().contains(UserInfo.MASTERS);
            case Identity.OfCluster _, Identity.OfPublication _ -> false;
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
