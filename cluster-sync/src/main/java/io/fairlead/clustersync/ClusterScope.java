package io.fairlead.clustersync;

import io.fairlead.index.IndexComparison;
import io.fairlead.model.ClusterName;
import java.util.Optional;

/** All resources of one cluster; closing it releases them. Thread-safe. */
public sealed interface ClusterScope extends AutoCloseable permits AttachedScope, HostedScope {
    ClusterName name();

    /** The difference between the cluster's index and the cluster, which is asked; empty if it does not say. Blocks. */
    Optional<IndexComparison> verify();

    /**
     * For how many nanoseconds changes of the cluster's CRDs may have been missed: 0 while a watch reports them,
     * {@link Long#MAX_VALUE} before the first complete list.
     */
    long silentNanos();

    /** Ends everything and drops the cluster from the index; reports nothing more once it returns. */
    @Override
    void close();
}
