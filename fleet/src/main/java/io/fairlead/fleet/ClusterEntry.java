package io.fairlead.fleet;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is registered under a cluster id. */
public sealed interface ClusterEntry {
    ClusterName name();

    /** Served here. */
    record Hosted(HostedCluster cluster) implements ClusterEntry {
        @Override
        public ClusterName name() {
            return cluster.name();
        }
    }

    /**
     * Served by API servers elsewhere.
     *
     * @param base the API servers that everything goes to
     * @param crdRuntime those that take what CRDs serve instead; null if the base does
     * @param doubt told whenever what makes the cluster serve types may have been changed through the gateway; never blocks
     */
    record Attached(
            ClusterName name, Backend base, @Nullable Backend crdRuntime, Consumer<HolderType> doubt)
            implements ClusterEntry {}

    /**
     * Some API servers that answer alike.
     *
     * @param upstream the connections to them
     * @param endpoints their addresses; a {@code Location} that names one is rewritten
     * @param identity how callers are presented there
     */
    record Backend(Upstream upstream, List<URI> endpoints, UpstreamIdentity identity) {
        public Backend {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * Registered, but nothing can serve it now (no usable credential, still being created, paused): 503 without
     * {@code Retry-After}, since it takes a person to change that.
     *
     * @param cause the machine-readable cause ({@code NoReadyEndpoint})
     * @param message for people: what is missing and what was expected; carries no credential
     */
    record Unready(ClusterName name, String cause, String message) implements ClusterEntry {}

    /** Registered and to be served here, but not open yet: a request waits a moment, then 503 with {@code Retry-After}. */
    record Opening(ClusterName name, Opens opens) implements ClusterEntry {}

    /** A hosted cluster on its way to being open. Threads: any. */
    interface Opens {
        /** The cluster, once it is open. */
        Optional<HostedCluster> opened();

        /** Has it opened before those for which no request waits, and waits; whether it is open. */
        boolean await(Duration timeout) throws InterruptedException;
    }

    /** Nothing is registered under this id. */
    record NotRegistered(ClusterName name) implements ClusterEntry {}
}
