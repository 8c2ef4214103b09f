package io.fairlead.hosted.cluster;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ClusterViews;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.RevisionedStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The hosted clusters of one store.
 *
 * <p>Each cluster's data stands below a prefix made of its uid, so that a cluster that is deleted and created again
 * under the same name starts empty. Owns the thread that follows the store's log and everything its clusters start;
 * does not own the store or the scheduler.
 *
 * <p>Threads: any.
 */
public final class HostedClusters implements AutoCloseable {
    private final Map<ClusterName, HostedCluster> clusters = new ConcurrentHashMap<>();

    /**
     * Follows the store; opens no cluster.
     *
     * @param rootKinds kinds that {@link ClusterName#ROOT} serves beside the ordinary ones
     */
    public HostedClusters(
            RevisionedStore store,
            HostedSettings settings,
            ClusterViews.Factory views,
            List<BuiltInKind> rootKinds,
            InstantSource clock,
            ScheduledExecutorService scheduler) {}

    /** Opens a cluster, creating it first if it is new; answers the open one if it is open already. */
    public HostedCluster open(ClusterName name) {
        return Objects.requireNonNull(clusters.get(name));
    }

    /** The cluster if it is open. */
    public @Nullable HostedCluster get(ClusterName name) {
        return clusters.get(name);
    }

    /** The names of all clusters that have data, open or not. */
    public Set<ClusterName> stored() {
        return Set.copyOf(clusters.keySet());
    }

    /** Ends a cluster's watches and controllers and keeps its data; nothing happens if it is not open. */
    public void close(ClusterName name) {
        clusters.remove(name);
    }

    /** Closes a cluster and deletes its data; nothing happens if there is none. A deletion cut short is finished at the next start. */
    public void delete(ClusterName name) {
        clusters.remove(name);
    }

    @Override
    public void close() {}
}
