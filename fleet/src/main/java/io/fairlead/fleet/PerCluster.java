package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;

/**
 * What the objects of clusters say of something.
 *
 * <p>Threads: one at a time writes; any reads an immutable snapshot, which is the same object until something changes.
 *
 * @param <T> what is said of one cluster; immutable
 */
final class PerCluster<T> {
    private volatile Map<ClusterName, T> all = Map.of();

    Map<ClusterName, T> all() {
        return all;
    }

    void put(ClusterName name, T said) {
        if (!said.equals(all.get(name))) {
            Map<ClusterName, T> now = new HashMap<>(all);
            now.put(name, said);
            all = Map.copyOf(now);
        }
    }

    void remove(ClusterName name) {
        Map<ClusterName, T> left = new HashMap<>(all);
        if (left.remove(name) != null) {
            all = Map.copyOf(left);
        }
    }
}
