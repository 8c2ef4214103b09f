package io.fairlead.clustersync;

import io.fairlead.index.IndexComparison;
import io.fairlead.model.ClusterName;
import java.util.Optional;

/** Everything that lives for one cluster; closing it ends all of it. Thread-safe. */
public sealed interface ClusterScope extends AutoCloseable permits AttachedScope, HostedScope {
    ClusterName name();

    /** The difference between the cluster's index and the cluster, which is asked; empty if it does not say. Blocks. */
    Optional<IndexComparison> verify();

    /**
     * For how many nanoseconds changes of the cluster's CRDs may have gone unheard: 0 while they are heard as they happen,
     * {@link Long#MAX_VALUE} before the first complete list.
     */
    long silentNanos();

    /** Ends everything and drops the cluster from the index; reports nothing more once it returns. */
    @Override
    void close();
}
