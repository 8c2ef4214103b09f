package io.fairlead.gateway.route;

import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;

/** What routing asks of the index. Never blocks; any thread. */
public interface TypeIndex {
    /** Whether a cluster serves a resource. */
    Answer lookup(ClusterName cluster, String group, String version, String resource);

    /** Whether a cluster is known to serve a resource, without counting as a look-up. */
    default boolean serves(ClusterName cluster, String group, String version, String resource) {
        return lookup(cluster, group, version, resource) == Answer.SERVED;
    }

    /**
     * Completes when the cluster's view is complete, at once if it is; from any thread. Whoever waits looks up again
     * afterwards. A stage that is no longer needed is cancelled through {@code toCompletableFuture()}.
     */
    CompletionStage<Void> synced(ClusterName cluster);

    /** The three answers. */
    enum Answer {
        SERVED,
        ABSENT,
        UNKNOWN
    }
}
