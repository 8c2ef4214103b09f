package io.fairlead.fleet;

import io.fairlead.model.UserInfo;
import java.util.Set;

/** How callers are presented to an attached cluster. */
public sealed interface UpstreamIdentity {
    /** Whether the cluster receives this group of users. */
    boolean presents(String group);

    /** A user as presented to the cluster: without the withheld groups. */
    default UserInfo presented(UserInfo user) {
        return new UserInfo(
                user.name(),
                user.uid(),
                user.groups().stream().filter(this::presents).toList(),
                user.extra());
    }

    /**
     * Computed {@code X-Remote-*} headers, by which a front proxy names its users (Kubernetes' documentation of authentication,
     * "Authenticating proxy"); the client certificate of the connections proves that it is one.
     */
    record RequestHeader() implements UpstreamIdentity {
        /** What the names of the headers begin with, before {@code User}, {@code Uid}, {@code Group} and {@code Extra-}. */
        public static final String PREFIX = "X-Remote-";

        @Override
        public boolean presents(String group) {
            return true;
        }
    }

    /**
     * Computed {@code Impersonate-*} headers; the upstream adds Fairlead's own credential to each request.
     *
     * @param allowSystemMasters whether to pass {@code system:masters} on; otherwise it is withheld
     * @param deniedGroups further groups to withhold
     */
    record Impersonate(boolean allowSystemMasters, Set<String> deniedGroups) implements UpstreamIdentity {
        public Impersonate {
            deniedGroups = Set.copyOf(deniedGroups);
        }

        @Override
        public boolean presents(String group) {
            return !deniedGroups.contains(group) && (allowSystemMasters || !group.equals(UserInfo.MASTERS));
        }
    }
}
