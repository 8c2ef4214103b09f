package io.fairlead.benchmarks.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The reference design: one lock around one map from cluster, group and version, joined, to a count. */
final class ReferenceIndex implements MeasuredIndex {
    private final FleetShape shape;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<Long> toggled = new HashSet<>();

    ReferenceIndex(FleetShape shape) {
        this.shape = shape;
        for (int cluster = 0; cluster < shape.clusters().size(); cluster++) {
            for (int place : shape.served()[cluster]) {
                counts.merge(
                        key(shape.clusters().get(cluster), shape.groupVersions().get(place)), 1, Integer::sum);
            }
        }
    }

    @Override
    public boolean serves(ClusterName cluster, GroupVersion groupVersion) {
        String key = key(cluster, groupVersion);
        synchronized (this) {
            return counts.getOrDefault(key, 0) > 0;
        }
    }

    @Override
    public void toggle(int cluster, int groupVersion) {
        String key = key(shape.clusters().get(cluster), shape.groupVersions().get(groupVersion));
        long id = ((long) cluster << 32) | groupVersion;
        synchronized (this) {
            counts.merge(key, toggled.add(id) ? 1 : toggled.remove(id) ? -1 : 0, Integer::sum);
        }
    }

    private static String key(ClusterName cluster, GroupVersion groupVersion) {
        return cluster.value() + "/" + groupVersion.group() + "/" + groupVersion.version();
    }
}
