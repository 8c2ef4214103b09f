package io.fairlead.clustersync;

import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamSpec;
import org.jspecify.annotations.Nullable;

/**
 * The registration of an attached cluster.
 *
 * @param name its id
 * @param upstream its addresses, trust, and the client certificate if that is the credential
 * @param bearerToken Fairlead's token there, or null
 */
public record AttachedCluster(
        ClusterName name, UpstreamSpec upstream, @Nullable String bearerToken) {
    /** Omits the token. */
    @Override
    public String toString() {
        return "AttachedCluster[name=" + name + ", upstream=" + upstream + "]";
    }
}
