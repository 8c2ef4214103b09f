package io.fairlead.clustersync;

import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamSpec;
import org.jspecify.annotations.Nullable;

/**
 * An attached cluster as it is registered.
 *
 * @param name its id
 * @param upstream where it is, how it is trusted, and the client certificate if that is the credential
 * @param bearerToken Fairlead's token there, or null
 */
public record AttachedCluster(
        ClusterName name, UpstreamSpec upstream, @Nullable String bearerToken) {
    /** Leaves the token out. */
    @Override
    public String toString() {
        return "AttachedCluster[name=" + name + ", upstream=" + upstream + "]";
    }
}
