package io.fairlead.clustersync;

import io.fairlead.index.history.Histories;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The histories of all attached clusters; those of others are not known, and never count as rewound. */
final class ClusterHistories implements Histories {
    private final HistoryMetrics metrics;
    private final ConcurrentMap<ClusterName, ClusterHistory> histories = new ConcurrentHashMap<>();
    private final List<Consumer<ClusterName>> listeners = new CopyOnWriteArrayList<>();

    ClusterHistories(HistoryMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public CompletionStage<NamedRevision> judge(ClusterName cluster, String resourceVersion) {
        ClusterHistory history = histories.get(cluster);
        if (history == null) {
            return CompletableFuture.completedStage(NamedRevision.CURRENT);
        }
        return history.judge(resourceVersion).thenApply(found -> counted(cluster, found));
    }

    @Override
    public Listening whenRewound(Consumer<ClusterName> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void put(ClusterName cluster, ClusterHistory history) {
        histories.put(cluster, history);
        metrics.follow(cluster);
    }

    void remove(ClusterName cluster) {
        histories.remove(cluster);
    }

    /** Calls the listeners. */
    void wasRewound(ClusterName cluster) {
        listeners.forEach(listener -> listener.accept(cluster));
    }

    private NamedRevision counted(ClusterName cluster, NamedRevision found) {
        if (found != NamedRevision.CURRENT) {
            metrics.named(cluster, found);
        }
        return found;
    }
}
