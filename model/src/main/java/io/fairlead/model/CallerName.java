package io.fairlead.model;

import org.jspecify.annotations.Nullable;

/**
 * Who authenticated, for those who count what each caller takes: a name, and where it is vouched for. The same name in two realms
 * is two callers; the same name with other groups, or with another credential, is the same one.
 *
 * @param realm the cluster that vouches for the name; null if the gateway does
 * @param name of the user
 */
public record CallerName(@Nullable ClusterName realm, String name) {
    /** A name that the gateway vouches for. */
    public static CallerName ofGateway(String name) {
        return new CallerName(null, name);
    }
}
