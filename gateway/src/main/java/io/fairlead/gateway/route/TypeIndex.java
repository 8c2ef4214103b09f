package io.fairlead.gateway.route;

import io.fairlead.index.Location;
import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;

/** The interface of the index for routing. Never blocks; any thread. */
public interface TypeIndex {
    /** Locates a resource of a cluster: one look-up. */
    Location locate(ClusterName cluster, String group, String version, String resource);

    /**
     * For how many nanoseconds changes of what a cluster serves may have been missed, {@link Long#MAX_VALUE} while the
     * index is in doubt. Call before {@link #locate}, so that its result may be newer than that and never older.
     */
    long silentNanos(ClusterName cluster);

    /** Whether a cluster is known to serve a resource, without counting as a look-up. */
    boolean serves(ClusterName cluster, String group, String version, String resource);

    /** Whether a cluster is known not to serve a resource, without counting as a look-up. */
    boolean lacks(ClusterName cluster, String group, String version, String resource);

    /**
     * Completes when the cluster's view is complete, at once if it is; from any thread. The caller looks up again
     * afterwards. A stage that is no longer needed is cancelled through {@code toCompletableFuture()}.
     */
    CompletionStage<Void> synced(ClusterName cluster);
}
