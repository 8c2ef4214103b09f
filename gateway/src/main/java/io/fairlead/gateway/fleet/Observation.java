package io.fairlead.gateway.fleet;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.Audit;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A cluster that is being watched; closing it ends everything that watching it started, and drops its view. */
public interface Observation extends AutoCloseable {
    /** What is known now. Any thread; never blocks. */
    Observed now();

    /**
     * Compares the index's view of the cluster with a recomputation from its source. Blocks.
     *
     * @throws IOException if the source cannot be read
     */
    Audit audit() throws IOException;

    @Override
    void close();

    /** Begins observations. */
    interface Source {
        /**
         * Watches an attached cluster.
         *
         * @param token Fairlead's token there, or null where the connection's certificate is the credential
         * @param changed called, from any thread, when {@link Observation#now} says something else
         */
        Observation attached(ClusterName name, Upstream upstream, @Nullable String token, Runnable changed);

        /** Watches a hosted cluster. */
        Observation hosted(HostedCluster cluster, Runnable changed);
    }
}
