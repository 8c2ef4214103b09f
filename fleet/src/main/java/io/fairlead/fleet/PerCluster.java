package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What the objects of clusters say of something. A change costs the same however many clusters there are; who asks for all of them
 * pays for that.
 *
 * <p>Threads: any. What is said of one cluster is read without a lock.
 *
 * @param <T> what is said of one cluster; immutable
 */
final class PerCluster<T> {
    private final ConcurrentMap<ClusterName, T> said = new ConcurrentHashMap<>();

    /** Of all clusters; null since something has changed. */
    private volatile @Nullable Map<ClusterName, T> all;

    /** An immutable snapshot, which is the same object until something changes. */
    Map<ClusterName, T> all() {
        Map<ClusterName, T> known = all;
        return known == null ? read() : known;
    }

    private synchronized Map<ClusterName, T> read() {
        Map<ClusterName, T> known = all;
        if (known == null) {
            known = Map.copyOf(said);
            all = known;
        }
        return known;
    }

    /** What is said of one; null if nothing is. */
    @Nullable
    T get(ClusterName name) {
        return said.get(name);
    }

    synchronized void put(ClusterName name, T now) {
        if (!now.equals(said.put(name, now))) {
            all = null;
        }
    }

    synchronized void remove(ClusterName name) {
        if (said.remove(name) != null) {
            all = null;
        }
    }
}
