package io.fairlead.hosted.crd;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/*
 * Problem: what a cluster answers by is made of its definitions and stays in memory while the cluster is open: trees, schemas
 * and documents, ten times as large as the text or more. A few dozen definitions that are as large as objects may be would
 * fill the heap, and again after each restart.
 *
 * Invariant: the texts of all definitions of open clusters are no larger than a bound, and those of one cluster no larger
 * than a part of it, but for what was stored under larger bounds: it is served, and only shrinks.
 */

/**
 * How many bytes the definitions of all hosted clusters have, as they are stored, and how many they may have.
 *
 * <p>Threads: any; nothing blocks for long.
 */
public final class DefinitionBudget {
    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /** By so much a definition may always grow: by its conditions, say, which no client writes. */
    private static final int GROWTH_ALLOWED = 4 * 1024;

    private final HostedMemory.Definitions limits;
    private final Consumer<String> reached;
    private final AtomicLong total = new AtomicLong();

    /**
     * A budget of which nothing is taken.
     *
     * @param reached is told the key of the limit at which a definition is refused
     */
    public DefinitionBudget(HostedMemory.Definitions limits, Consumer<String> reached) {
        this.limits = limits;
        this.reached = reached;
    }

    /** The part of one cluster that is opened. */
    public OfCluster ofCluster() {
        return new OfCluster();
    }

    /** What the definitions of one cluster take; closing gives it back. */
    public final class OfCluster implements AutoCloseable {
        private final Map<String, Long> byName = new HashMap<>();
        private long taken;

        private OfCluster() {}

        /**
         * Takes what a definition has from now on in the place of what it had.
         *
         * @return what it had, 0 if it is new
         * @throws StatusException with 403 if there is no room for it
         */
        synchronized long replace(String name, long bytes) {
            long before = byName.getOrDefault(name, 0L);
            long more = bytes - before;
            if (more > (before == 0 ? 0 : GROWTH_ALLOWED)) {
                require(name, more, limits.clusterBytesMax(), taken, "limits.hostedDefinitionBytesPerClusterMax");
                require(name, more, limits.bytesMax(), total.get(), "limits.hostedDefinitionBytesMax");
            }
            hold(name, bytes);
            return before;
        }

        /** Takes what a definition has, whether there is room for it or not. */
        synchronized void hold(String name, long bytes) {
            Long before = bytes == 0 ? byName.remove(name) : byName.put(name, bytes);
            long more = bytes - (before == null ? 0 : before);
            taken += more;
            total.addAndGet(more);
        }

        @Override
        public synchronized void close() {
            total.addAndGet(-taken);
            taken = 0;
            byName.clear();
        }

        private void require(String name, long more, long bytesMax, long takenNow, String key) {
            if (takenNow + more > bytesMax) {
                reached.accept(key);
                String whose = key.endsWith("PerClusterMax") ? "this cluster" : "all hosted clusters";
                throw Refusals.forbidden(
                        DEFINITIONS,
                        name,
                        "the definitions of " + whose + " have " + takenNow + " bytes and this one adds " + more
                                + " (expected at most " + bytesMax + " together, by " + key + ")",
                        List.of());
            }
        }
    }
}
