package io.fairlead.gateway.impersonate;

import io.fairlead.schema.meta.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a ServiceAccount, parsed from its user name (apiserver {@code authentication/serviceaccount}). */
record ServiceAccountName(String namespace, String name) {
    private static final String PREFIX = "system:serviceaccount:";
    private static final String GROUP = "system:serviceaccounts";

    /** Null if the user is not a ServiceAccount. */
    static @Nullable ServiceAccountName of(String user) {
        if (!user.startsWith(PREFIX)) {
            return null;
        }
        String[] parts = user.substring(PREFIX.length()).split(":", -1);
        boolean isValid = parts.length == 2
                && Names.dns1123Label(parts[0]).isEmpty()
                && Names.dns1123Subdomain(parts[1]).isEmpty();
        return isValid ? new ServiceAccountName(parts[0], parts[1]) : null;
    }

    /** The groups of all ServiceAccounts, and of those in its namespace. */
    List<String> groups() {
        return List.of(GROUP, GROUP + ":" + namespace);
    }
}
