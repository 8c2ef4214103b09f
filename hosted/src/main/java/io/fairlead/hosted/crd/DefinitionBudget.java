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
 * Problem: the trees, schemas and documents built from a cluster's definitions stay in memory while the cluster is
 * open, at ten times the size of the text or more. A few dozen definitions of the maximum object size would fill the
 * heap, and again after each restart.
 *
 * Invariant: the texts of all definitions of open clusters, each with a reserve, are no larger than a bound, and those
 * of one cluster no larger than a part of it, except for definitions stored under larger bounds: they are served, and
 * may grow only by their reserve.
 */

/**
 * How many bytes the stored definitions of all hosted clusters take, and may take.
 *
 * <p>Threads: any; nothing blocks for long.
 */
public final class DefinitionBudget {
    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /**
     * Counted for each definition in addition to its text, so that it may always grow by this much, by its conditions
     * for instance.
     */
    private static final int RESERVE = 4 * 1024;

    private final HostedMemory.Definitions limits;
    private final Consumer<String> reached;

    /** Guarded, as the fields of its parts, by this object. */
    private long total;

    /**
     * An unused budget.
     *
     * @param reached receives the key of the limit that refused a definition
     */
    public DefinitionBudget(HostedMemory.Definitions limits, Consumer<String> reached) {
        this.limits = limits;
        this.reached = reached;
    }

    /** The part of a newly opened cluster. */
    public OfCluster ofCluster() {
        return new OfCluster();
    }

    /** The bytes of one cluster's definitions; closing releases them. */
    public final class OfCluster implements AutoCloseable {
        /** The bytes counted for each definition. */
        private final Map<String, Long> byName = new HashMap<>();

        private long taken;
        private boolean closed;

        private OfCluster() {}

        /**
         * Counts a definition at the size that will be stored.
         *
         * @param bytes of its text, 0 on deletion
         * @return what was counted before, for {@link #restore}
         * @throws StatusException with 403 if it does not fit
         */
        public long replace(String name, long bytes) {
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

        /** Counts a stored definition, even beyond the limit. */
        void hold(String name, long bytes) {
            restore(name, bytes + RESERVE);
        }

        /** Restores the count of a definition after a refused write. */
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
