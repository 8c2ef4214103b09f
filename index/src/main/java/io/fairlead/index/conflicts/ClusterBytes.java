package io.fairlead.index.conflicts;

import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;

/** What is taken by each cluster, in bytes, and by all. Confined to its user. */
final class ClusterBytes {
    private final Map<ClusterName, Long> byCluster = new HashMap<>();
    private long total;

    /** @param more negative if less is taken */
    void add(ClusterName cluster, long more) {
        total += more;
        byCluster.merge(cluster, more, (before, by) -> before + by == 0 ? null : Long.valueOf(before + by));
    }

    long total() {
        return total;
    }

    long of(ClusterName cluster) {
        return byCluster.getOrDefault(cluster, 0L);
    }
}
