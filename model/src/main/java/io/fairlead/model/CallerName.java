package io.fairlead.model;

import org.jspecify.annotations.Nullable;

/**
 * An authenticated caller as the key of its resource counts: a name and its realm. The same name in two realms is two
 * callers; the same name with other groups, or with another credential, is the same one.
 *
 * @param realm the cluster that authenticates the name; null for the gateway
 * @param name of the user
 */
public record CallerName(@Nullable ClusterName realm, String name) {
    /** A name in the gateway's realm. */
    public static CallerName ofGateway(String name) {
        return new CallerName(null, name);
    }
}
