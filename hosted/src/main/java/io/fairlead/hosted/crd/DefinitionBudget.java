package io.fairlead.hosted.crd;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/*
 * Problem: what a cluster answers by is made of its definitions and stays in memory while the cluster is open: trees, schemas
 * and documents, ten times as large as the text or more. A few dozen definitions that are as large as objects may be would
 * fill the heap, and again after each restart.
 *
 * Invariant: the texts of all definitions of open clusters, each with a reserve, are no larger than a bound, and those of one
 * cluster no larger than a part of it, but for what was stored under larger bounds: it is served, and grows no further than its
 * reserve.
 */

/**
 * How many bytes the definitions of all hosted clusters have, as they are stored, and how many they may have.
 *
 * <p>Threads: any; nothing blocks for long.
 */
public final class DefinitionBudget {
    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /** Counted for each definition beside its text, so that it may grow by as much in any case: by its conditions, say. */
    private static final int RESERVE = 4 * 1024;

    private final HostedMemory.Definitions limits;
    private final Consumer<String> reached;

    /** Guarded, as what its parts have, by this object. */
    private long total;

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
        /** What is counted for each definition. */
        private final Map<String, Long> byName = new HashMap<>();

        private long taken;
        private boolean closed;

        private OfCluster() {}

        /**
         * Counts a definition as large as it shall be stored.
         *
         * @param bytes of its text, 0 if it goes
         * @return what was counted before, for {@link #restore}
         * @throws StatusException with 403 if there is no room for it
         */
        long replace(String name, long bytes) {
            synchronized (DefinitionBudget.this) {
                long before = byName.getOrDefault(name, 0L);
                if (bytes > before) {
                    long more = bytes + RESERVE - before;
                    require(name, more, limits.clusterBytesMax(), taken, "limits.hostedDefinitionBytesPerClusterMax");
                    require(name, more, limits.bytesMax(), total, "limits.hostedDefinitionBytesMax");
                    restore(name, bytes + RESERVE);
                } else {
                    restore(name, bytes == 0 ? 0 : Math.min(before, bytes + RESERVE));
                }
                return before;
            }
        }

        /** Counts a definition that is stored, whether there is room for it or not. */
        void hold(String name, long bytes) {
            restore(name, bytes + RESERVE);
        }

        /** Counts so much for a definition, as before a write that was refused. */
        void restore(String name, long counted) {
            synchronized (DefinitionBudget.this) {
                if (closed) {
                    return;
                }
                Long before = counted == 0 ? byName.remove(name) : byName.put(name, counted);
                long more = counted - (before == null ? 0 : before);
                taken += more;
                total += more;
            }
        }

        @Override
        public void close() {
            synchronized (DefinitionBudget.this) {
                closed = true;
                total -= taken;
                taken = 0;
                byName.clear();
            }
        }

        private void require(String name, long more, long bytesMax, long takenNow, String key) {
            if (takenNow + more > bytesMax) {
                reached.accept(key);
                String whose = key.endsWith("PerClusterMax") ? "this cluster" : "all hosted clusters";
                throw Refusals.forbidden(
                        DEFINITIONS,
                        name,
                        "the definitions of " + whose + " have " + takenNow + " bytes, a reserve of " + RESERVE
                                + " for each included, and this one adds "
                                + more
                                + " (expected at most " + bytesMax + " together, by " + key + ")",
                        List.of());
            }
        }
    }
}
