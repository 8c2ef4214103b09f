package io.fairlead.gateway.pin;

import io.fairlead.model.ClusterName;
import java.util.Set;

/**
 * Some clusters.
 *
 * @param all whether it is every cluster, those that are yet to be registered too
 * @param names which, as far as they are registered
 */
public record ClusterSet(boolean all, Set<ClusterName> names) {
    public ClusterSet {
        names = Set.copyOf(names);
    }

    public boolean has(ClusterName cluster) {
        return all || names.contains(cluster);
    }
}
