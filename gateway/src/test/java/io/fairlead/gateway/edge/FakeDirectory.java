package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.Vouching;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The clusters that a test registers. */
final class FakeDirectory implements ClusterDirectory {
    private final Map<ClusterName, ClusterEntry> clusters;
    final Set<ClusterName> waiting = ConcurrentHashMap.newKeySet();

    /** Those that are asked whose tokens are. */
    final Set<ClusterName> reviewing = ConcurrentHashMap.newKeySet();

    private final List<Consumer<ClusterName>> listeners = new CopyOnWriteArrayList<>();

    FakeDirectory(Map<ClusterName, ClusterEntry> clusters) {
        this.clusters = clusters;
    }

    @Override
    public ClusterEntry lookup(ClusterName name) {
        return clusters.getOrDefault(name, new ClusterEntry.NotRegistered(name));
    }

    @Override
    public Vouching vouching(ClusterName name) {
        return new Vouching(true, reviewing.contains(name), false);
    }

    @Override
    public boolean isWaiting(ClusterName name) {
        return waiting.contains(name);
    }

    @Override
    public void whenWithheld(Consumer<ClusterName> listener) {
        listeners.add(listener);
    }

    /** A cluster is not served any more. */
    void withhold(ClusterName cluster) {
        listeners.forEach(listener -> listener.accept(cluster));
    }
}
