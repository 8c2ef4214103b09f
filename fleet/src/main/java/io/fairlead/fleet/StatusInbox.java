package io.fairlead.fleet;

import io.fairlead.clustersync.ClusterStatus;
import io.fairlead.clustersync.ClusterStatusSink;
import io.fairlead.model.ClusterName;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * The newest health report of each cluster, until the fleet has processed it.
 *
 * <p>Threads: any.
 */
public final class StatusInbox implements ClusterStatusSink {
    private final ConcurrentMap<ClusterName, ClusterStatus> newest = new ConcurrentHashMap<>();
    private volatile Consumer<ClusterName> listener = _ -> {};

    @Override
    public void report(ClusterStatus status) {
        newest.put(status.cluster(), status);
        listener.accept(status.cluster());
    }

    /** Sets the callback for each report from now on. */
    void tell(Consumer<ClusterName> whom) {
        listener = whom;
    }

    Optional<ClusterStatus> newest(ClusterName name) {
        return Optional.ofNullable(newest.get(name));
    }

    void forget(ClusterName name) {
        newest.remove(name);
    }
}
