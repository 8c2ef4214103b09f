package io.fairlead.index.history;

import io.fairlead.model.ClusterName;

/** Counts what is noticed of clusters' histories. Threads: any; must not block. */
public interface HistoryMetrics {
    HistoryMetrics NONE = new HistoryMetrics() {
        @Override
        public void follow(ClusterName cluster) {}

        @Override
        public void travelled(ClusterName cluster, InformerDecision decision) {}

        @Override
        public void named(ClusterName cluster, NamedRevision revision) {}
    };

    /** The history of a cluster is followed from now on. */
    void follow(ClusterName cluster);

    /** An event of one of our own watches was behind one before it. */
    void travelled(ClusterName cluster, InformerDecision decision);

    /** A request named a resourceVersion that is not, or may not be, of the cluster's present history. */
    void named(ClusterName cluster, NamedRevision revision);
}
