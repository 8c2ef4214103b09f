package io.fairlead.gateway.enter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.fleet.ClusterKind;
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
 * threads, {@link #always} and {@link #known} do not.
 */
public final class ClusterAccess {
    /** The group that may enter every cluster, besides {@code system:masters}; only in the gateway's realm. */
    public static final String ADMINS = "fairlead:admins";

    private static final long KNOWN_BYTES_MAX = 8L * 1024 * 1024;

    /** What an entry takes beside the texts of its user. */
    private static final int ENTRY_BYTES = 256;

    private final HostedCluster root;
    private final Cache<Question, Answer> known = Caffeine.newBuilder()
            .maximumWeight(KNOWN_BYTES_MAX)
            .weigher((Question question, Answer _) ->
                    ENTRY_BYTES + question.user().bytes())
            .executor(Runnable::run)
            .build();

    public ClusterAccess(HostedCluster root) {
        this.root = root;
    }

    /** What is known at once of whether a caller may enter. */
    enum Known {
        ALLOWED,
        REFUSED,
        /** The root cluster's RBAC is to be asked. */
        NOT_YET
    }

    /** Comparable, so that clusters whose names a caller chose for their equal hashes are told apart in few steps. */
    private record Question(UserInfo user, ClusterName cluster) implements Comparable<Question> {
        @Override
        public int compareTo(Question other) {
            int byCluster = cluster.compareTo(other.cluster);
            return byCluster != 0 ? byCluster : user.name().compareTo(other.user.name());
        }
    }

    /** An answer of the root cluster's RBAC, and the state of rights under which it was given. */
    private record Answer(Object rights, boolean allowed) {}

    /** Whether the caller may enter every cluster, which needs no look-up. */
    public boolean always(Identity caller) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> isAdmin(user.groups());
            case Identity.OfCluster _, Identity.OfPublication _ -> false;
        };
    }

    /** Whether the caller may enter a cluster, which need not exist. */
    public boolean mayEnter(Identity caller, ClusterName cluster) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> isAdmin(user.groups()) || mayEnter(new Question(user, cluster));
            case Identity.OfCluster(ClusterName home, Object _, UserInfo _) -> home.equals(cluster);
            case Identity.OfPublication publication -> publication.source().equals(cluster);
        };
    }

    /** Whether the caller may enter a cluster, as far as that is known without asking. Does not block. */
    Known known(Identity caller, ClusterName cluster) {
        if (always(caller)) {
            return Known.ALLOWED;
        }
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> known(new Question(user, cluster));
            case Identity.OfCluster(ClusterName home, Object _, UserInfo _) ->
                home.equals(cluster) ? Known.ALLOWED : Known.REFUSED;
            case Identity.OfPublication publication ->
                publication.source().equals(cluster) ? Known.ALLOWED : Known.REFUSED;
        };
    }

    private Known known(Question question) {
        Answer answer = known.getIfPresent(question);
        if (answer == null || !answer.rights().equals(root.rightsState())) {
            return Known.NOT_YET;
        }
        return answer.allowed() ? Known.ALLOWED : Known.REFUSED;
    }

    /** By what is known: who asks about many clusters again and again costs a look-up for each, not a decision. */
    private boolean mayEnter(Question question) {
        return switch (known(question)) {
            case ALLOWED -> true;
            case REFUSED -> false;
            case NOT_YET -> ask(question);
        };
    }

    /** Asks, and remembers the answer if the rights were the same all the while. */
    private boolean ask(Question question) {
        Object rights = root.rightsState();
        boolean allowed = isAllowedInRoot(question.user(), accessTo(question.cluster()));
        if (rights != null && rights.equals(root.rightsState())) {
            known.put(question, new Answer(rights, allowed));
        }
        return allowed;
    }

    /** Whether the caller may read a path of the gateway, or an object of the root cluster: by the latter's RBAC. */
    public boolean mayRead(Identity caller, RequestInfo info) {
        return switch (caller) {
            case Identity.OfGateway(UserInfo user) -> isAdmin(user.groups()) || isAllowedInRoot(user, info);
            case Identity.OfCluster _, Identity.OfPublication _ -> false;
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
        return RequestInfo.resource("access", ClusterKind.CLUSTERS, "", cluster.value(), "");
    }
}
