package io.fairlead.gateway.select;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How an attached cluster learns who the caller is. */
public sealed interface UpstreamIdentity {
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

        /** Leaves the token out. */
        @Override
        public String toString() {
            return "Impersonate[allowSystemMasters=" + allowSystemMasters + ", deniedGroups=" + deniedGroups + "]";
        }
    }
}
