package io.fairlead.index.history;

import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The histories of clusters, as far as requests depend on them. Threads: any; nothing blocks. */
public interface Histories {
    /**
     * What a resourceVersion that a request names is to the histories of its cluster; never fails. Completed already unless
     * the cluster has to be asked for its head, which takes a request to it.
     *
     * @param resourceVersion as the request has it; only of a resource whose versions are those of the cluster's own store
     */
    CompletionStage<NamedRevision> judge(ClusterName cluster, String resourceVersion);

    /**
     * Calls a listener whenever a cluster's history has proven to be rewound, so that what follows it can be ended. Called
     * once for each rewind, after it counts for {@link #judge}, on a thread that may block.
     *
     * @return ends the calls
     */
    Listening whenRewound(Consumer<ClusterName> listener);

    /** Calls of a listener, until it is closed. */
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
