package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The registered clusters with their labels, a new map whenever one changes, as objects of {@code fairlead.io} select them. Any thread. */
@FunctionalInterface
public interface RegisteredClusters extends Supplier<Map<ClusterName, Map<String, String>>> {
    /** The registration of the same cluster that another one is an alias of at last ({@code spec.aliasOf}); null if it is none's. */
    default @Nullable ClusterName aliasOf(ClusterName name) {
        return null;
    }
}
