package io.fairlead.fleet;

import io.fairlead.model.UserInfo;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How an attached cluster learns who the caller is. */
public sealed interface UpstreamIdentity {
    /** Whether the cluster is told that a user is in this group. */
    boolean presents(String group);

    /** A user as the cluster is told of it: without the groups that are left out. */
    default UserInfo presented(UserInfo user) {
        return new UserInfo(
                user.name(),
                user.uid(),
                user.groups().stream().filter(this::presents).toList(),
                user.extra());
    }

    /**
     * Fairlead's own credential and computed {@code Impersonate-*} headers.
     *
     * @param bearerToken Fairlead's token there, or null where the connection's client certificate is the credential
     * @param allowSystemMasters whether {@code system:masters} is passed on; else it is left out
     * @param deniedGroups further groups that are left out
     */
    record Impersonate(@Nullable String bearerToken, boolean allowSystemMasters, Set<String> deniedGroups)
            implements UpstreamIdentity {
        public Impersonate {
            deniedGroups = Set.copyOf(deniedGroups);
        }

        @Override
        public boolean presents(String group) {
            return !deniedGroups.contains(group) && (allowSystemMasters || !group.equals(UserInfo.MASTERS));
        }

        /** Leaves the token out. */
        @Override
        public String toString() {
            return "Impersonate[allowSystemMasters=" + allowSystemMasters + ", deniedGroups=" + deniedGroups + "]";
        }
    }
}
