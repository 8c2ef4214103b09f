package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.Map;

/** The registered clusters, as objects of {@code fairlead.io} select them. Any thread. */
@FunctionalInterface
public interface RegisteredClusters {
    /** The labels of each; a new map whenever one changes. */
    Map<ClusterName, Map<String, String>> labels();

    /** Whether a registration is said to be another one of a cluster that has one ({@code spec.aliasOf}). */
    default boolean isAlias(ClusterName name) {
        return false;
    }
}
