package io.fairlead.hosted.objects;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.CommitResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/*
 * Problem: what is built from some objects of a cluster stays in memory while the cluster is open: trees, schemas and
 * documents of definitions, trees and compiled rules of roles, links of owner references. A few dozen objects of the
 * maximum size would fill the heap, and again after each restart.
 *
 * Invariant: the bytes counted for all such objects of open clusters, each with a reserve, are no more than a bound, and
 * those of one cluster no more than a part of it, except for objects stored under larger bounds: they are served, and
 * may grow only by their reserve.
 */

/**
 * How many bytes of some kind the stored objects of all hosted clusters take, and may take.
 *
 * <p>Threads: any; nothing blocks for long.
 */
public final class ClusterBudget {
    private final HostedMemory.Bounds limits;
    private final Terms terms;
    private final Consumer<String> reached;

    /** Guarded, as the fields of its parts, by this object. */
    private long total;

    /**
     * What is counted.
     *
     * @param noun in refusals
     * @param reserve counted for each object in addition, so that it may always grow by this much: by the mark of a deletion,
     *     by conditions
     * @param freeBytes which every cluster has whatever the others take
     * @param key of the configuration; that of one cluster begins with it
     */
    private record Terms(String noun, long reserve, long freeBytes, String key) {
        String ofCluster() {
            return key.substring(0, key.length() - "Max".length()) + "PerClusterMax";
        }
    }

    /**
     * An unused budget for the texts of CustomResourceDefinitions.
     *
     * @param reached receives the key of the limit that refused an object
     */
    public static ClusterBudget ofDefinitions(HostedMemory.Bounds limits, Consumer<String> reached) {
        return new ClusterBudget(
                limits, new Terms("definitions", 4 * 1024, 0, "limits.hostedDefinitionBytesMax"), reached);
    }

    /**
     * An unused budget for what is kept in memory of namespaces, rights and owner references.
     *
     * @param reached receives the key of the limit that refused an object
     */
    public static ClusterBudget ofKept(HostedMemory.Bounds limits, Consumer<String> reached) {
        return new ClusterBudget(
                limits,
                new Terms("namespaces, rights and owner references", 2 * 1024, 1 << 20, "limits.hostedKeptBytesMax"),
                reached);
    }

    private ClusterBudget(HostedMemory.Bounds limits, Terms terms, Consumer<String> reached) {
        this.limits = limits;
        this.terms = terms;
        this.reached = reached;
    }

    /** The part of a newly opened cluster. */
    public OfCluster ofCluster() {
        return new OfCluster();
    }

    /** The bytes of one cluster's objects; closing releases them. */
    public final class OfCluster implements AutoCloseable {
        /** The bytes counted for each object. */
        private final Map<String, Long> byName = new HashMap<>();

        private long taken;
        private boolean closed;

        private OfCluster() {}

        /**
         * Commits a write of an object for which there is room; if nothing was written, the count is as before. Writes of one
         * object must come one after the other.
         *
         * @param bytes that it takes, 0 on deletion
         * @throws StatusException with 403 if it does not fit
         */
        public CommitResult commit(GroupResource resource, String name, long bytes, Supplier<CommitResult> write) {
            long before = replace(resource, name, bytes);
            boolean committed = false;
            try {
                CommitResult result = write.get();
                committed = result instanceof CommitResult.Committed;
                return result;
            } finally {
                if (!committed) {
                    restore(name, before);
                }
            }
        }

        /**
         * Counts an object at the size that will be stored.
         *
         * @param name by which it is counted
         * @param resource of the object, for a refusal
         * @param bytes that it takes, 0 on deletion
         * @return what was counted before
         * @throws StatusException with 403 if it does not fit
         */
        public long replace(GroupResource resource, String name, long bytes) {
            synchronized (ClusterBudget.this) {
                long before = byName.getOrDefault(name, 0L);
                if (bytes > before) {
                    long more = bytes + terms.reserve() - before;
                    if (taken + more > limits.clusterBytesMax()) {
                        throw refusal(resource, name, more, limits.clusterBytesMax(), taken, terms.ofCluster());
                    }
                    if (total + more > limits.bytesMax() && taken + more > terms.freeBytes()) {
                        throw refusal(resource, name, more, limits.bytesMax(), total, terms.key());
                    }
                    restore(name, bytes + terms.reserve());
                } else {
                    restore(name, bytes == 0 ? 0 : Math.min(before, bytes + terms.reserve()));
                }
                return before;
            }
        }

        /** Whether an object is counted. */
        public boolean counts(String name) {
            synchronized (ClusterBudget.this) {
                return byName.containsKey(name);
            }
        }

        /** Counts a stored object, even beyond the limit. */
        public void hold(String name, long bytes) {
            restore(name, bytes == 0 ? 0 : bytes + terms.reserve());
        }

        /** Counts an object no more that is counted at this size. */
        public void release(String name, long bytes) {
            synchronized (ClusterBudget.this) {
                if (byName.getOrDefault(name, 0L) == bytes + terms.reserve()) {
                    restore(name, 0);
                }
            }
        }

        private void restore(String name, long counted) {
            synchronized (ClusterBudget.this) {
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
            synchronized (ClusterBudget.this) {
                closed = true;
                total -= taken;
                taken = 0;
                byName.clear();
            }
        }

        private StatusException refusal(
                GroupResource resource, String name, long more, long bytesMax, long takenNow, String key) {
            reached.accept(key);
            String whose = key.equals(terms.key()) ? "all hosted clusters" : "this cluster";
            return Refusals.forbidden(
                    resource,
                    name.substring(name.lastIndexOf('/') + 1),
                    "the " + terms.noun() + " of " + whose + " have " + takenNow + " bytes, a reserve of "
                            + terms.reserve() + " for each included, and this one adds " + more
                            + " (expected at most " + bytesMax + " together, by " + key + ")",
                    List.of());
        }
    }
}
