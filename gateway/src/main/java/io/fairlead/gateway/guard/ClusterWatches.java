package io.fairlead.gateway.guard;

import io.fairlead.model.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The guarded watches of one cluster, which end together if its history proves to be another. Any thread. */
final class ClusterWatches {
    private final GuardMetrics metrics;
    private final Set<GuardedEvents> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong rewinds = new AtomicLong();

    ClusterWatches(GuardMetrics metrics) {
        this.metrics = metrics;
    }

    GuardMetrics metrics() {
        return metrics;
    }

    /** How often the history proved to be another. */
    long rewinds() {
        return rewinds.get();
    }

    void add(GuardedEvents watch) {
        open.add(watch);
    }

    void remove(GuardedEvents watch) {
        open.remove(watch);
    }

    /** Ends those that are open; one that opens now sees that {@link #rewinds} has changed. */
    void rewound(Status why) {
        rewinds.incrementAndGet();
        open.forEach(watch -> watch.rewound(why));
    }

    /** Ends those that are open; there will be no others. */
    void withheld(Status why) {
        open.forEach(watch -> watch.withheld(why));
    }
}
