package io.fairlead.index;

import io.fairlead.model.ClusterName;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for a cluster's view to be complete; bounded for each cluster. Safe for any thread: a cluster's set
 * is accessed only inside the map's atomic operations.
 */
final class Waiters {
    private final int perClusterMax;
    private final ConcurrentHashMap<ClusterName, Set<CompletableFuture<Void>>> waiting = new ConcurrentHashMap<>();

    Waiters(int perClusterMax) {
        this.perClusterMax = perClusterMax;
    }

    /** A future for {@link #release}; failed at once if too many wait. Releases its place however it ends. */
    CompletableFuture<Void> add(ClusterName cluster) {
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        waiting.compute(cluster, (name, waiters) -> with(waiters, waiter));
        var _ = waiter.whenComplete((done, failure) -> remove(cluster, waiter));
        return waiter;
    }

    /** Completes all futures of a cluster. */
    void release(ClusterName cluster) {
        Set<CompletableFuture<Void>> released = waiting.remove(cluster);
        if (released != null) {
            released.forEach(waiter -> waiter.complete(null));
        }
    }

    @SuppressWarnings("UndefinedEquals") // waiters are compared by identity
    private Set<CompletableFuture<Void>> with(
            @Nullable Set<CompletableFuture<Void>> waiters, CompletableFuture<Void> waiter) {
        Set<CompletableFuture<Void>> more = waiters == null ? new HashSet<>() : waiters;
        if (more.size() < perClusterMax) {
            more.add(waiter);
        } else {
            waiter.completeExceptionally(
                    new RejectedExecutionException(perClusterMax + " callers wait for the cluster's types already"));
        }
        return more;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // waiters are compared by identity
    private void remove(ClusterName cluster, CompletableFuture<Void> waiter) {
        waiting.computeIfPresent(cluster, (name, waiters) -> {
            waiters.remove(waiter);
            return waiters.isEmpty() ? null : waiters;
        });
    }
}
