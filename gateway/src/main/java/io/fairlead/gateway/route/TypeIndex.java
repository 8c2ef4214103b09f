package io.fairlead.gateway.route;

import io.fairlead.index.Location;
import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;

/** What routing asks of the index. Never blocks; any thread. */
public interface TypeIndex {
    /** Where a cluster serves a resource: one look-up. */
    Location locate(ClusterName cluster, String group, String version, String resource);

    /**
     * For how many nanoseconds changes of what a cluster serves may have gone unheard, {@link Long#MAX_VALUE} while what is known
     * is in doubt. Asked before {@link #locate}, so that what is located may be newer than that and never older.
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
