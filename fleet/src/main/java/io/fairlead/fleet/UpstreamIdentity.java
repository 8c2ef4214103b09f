package io.fairlead.fleet;

import io.fairlead.model.UserInfo;
import io.fairlead.net.Servers;
import java.util.Set;

/** How callers are presented to an attached cluster, or to the backend of an APIService of a hosted one. */
public sealed interface UpstreamIdentity {
    /** Whether the cluster receives this group of users. */
    boolean presents(String group);

    /** Whether the cluster knows the verbs of constrained impersonation (KEP-5284). */
    default boolean hasConstrainedImpersonation() {
        return false;
    }

    /** A user as presented to the cluster: without the withheld groups. */
    default UserInfo presented(UserInfo user) {
        return new UserInfo(
                user.name(),
                user.uid(),
                user.groups().stream().filter(this::presents).toList(),
                user.extra());
    }

    /**
     * Computed {@code Impersonate-*} headers; the upstream adds Fairlead's own credential to each request.
     *
     * @param allowSystemMasters whether to pass {@code system:masters} on; otherwise it is withheld
     * @param deniedGroups further groups to withhold
     * @param hasConstrainedImpersonation whether the cluster knows its verbs
     */
    record Impersonate(boolean allowSystemMasters, Set<String> deniedGroups, boolean hasConstrainedImpersonation)
            implements UpstreamIdentity {
        public Impersonate {
            deniedGroups = Set.copyOf(deniedGroups);
        }

        /** To a cluster without constrained impersonation. */
        public Impersonate(boolean allowSystemMasters, Set<String> deniedGroups) {
            this(allowSystemMasters, deniedGroups, false);
        }

        @Override
        public boolean presents(String group) {
            return isPassedOn(group, allowSystemMasters, deniedGroups);
        }
    }

    /**
     * Computed {@code X-Remote-*} headers, by which a front proxy names its users (Kubernetes' documentation of authentication,
     * "Authenticating proxy"); the client certificate of the connections proves that it is one.
     *
     * @param allowSystemMasters whether to pass {@code system:masters} on; otherwise it is withheld
     * @param deniedGroups further groups to withhold
     * @param hasConstrainedImpersonation whether the cluster knows its verbs
     * @param ownUsers the users whom Fairlead's own requests name: a caller of such a name would have Fairlead's rights
     */
    record RequestHeader(
            boolean allowSystemMasters,
            Set<String> deniedGroups,
            boolean hasConstrainedImpersonation,
            Set<String> ownUsers)
            implements UpstreamIdentity {
        /** What the names of the headers begin with, before {@code User}, {@code Uid}, {@code Group} and {@code Extra-}. */
        public static final String PREFIX = "X-Remote-";

        public RequestHeader {
            deniedGroups = Set.copyOf(deniedGroups);
            ownUsers = Set.copyOf(ownUsers);
        }

        /** To a cluster without constrained impersonation. */
        public RequestHeader(boolean allowSystemMasters, Set<String> deniedGroups, Set<String> ownUsers) {
            this(allowSystemMasters, deniedGroups, false, ownUsers);
        }

        @Override
        public boolean presents(String group) {
            return isPassedOn(group, allowSystemMasters, deniedGroups);
        }
    }

    /**
     * The caller's own bearer token, which the cluster itself has authenticated, and none of Fairlead's credentials. The cluster knows
     * its users' groups itself, so that none can be withheld.
     *
     * @param servers that have authenticated the tokens: a token goes to these and to no others
     */
    record Passthrough(Servers servers) implements UpstreamIdentity {
        @Override
        public boolean presents(String group) {
            return true;
        }
    }

    /** The same headers as of {@link RequestHeader}, to the backend of an APIService of a hosted cluster, which has allowed the request. */
    record Aggregated() implements UpstreamIdentity {
        @Override
        public boolean presents(String group) {
            return true;
        }
    }

    private static boolean isPassedOn(String group, boolean allowSystemMasters, Set<String> deniedGroups) {
        return !deniedGroups.contains(group) && (allowSystemMasters || !group.equals(UserInfo.MASTERS));
    }
}
