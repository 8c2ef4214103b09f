package io.fairlead.fleet;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Servers;
import io.fairlead.net.Upstream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The registration of a cluster id. */
public sealed interface ClusterEntry {
    ClusterName name();

    /** A hosted cluster. */
    record Hosted(HostedCluster cluster) implements ClusterEntry {
        @Override
        public ClusterName name() {
            return cluster.name();
        }
    }

    /**
     * An attached cluster.
     *
     * @param base the API servers of all requests
     * @param crdRuntime the API servers of custom resources; null if the base serves them
     * @param doubt called whenever a holder of types may have been changed through the gateway; never blocks
     * @param historyModes what becomes of events that go back in time
     * @param holdsWrites whether requests that may change something are refused, since it is another cluster than before and
     *     no person has confirmed that it is meant
     */
    record Attached(
            ClusterName name,
            Backend base,
            @Nullable Backend crdRuntime,
            Consumer<HolderType> doubt,
            HistoryModes historyModes,
            boolean holdsWrites)
            implements ClusterEntry {
        /** One that takes all requests. */
        public Attached(
                ClusterName name,
                Backend base,
                @Nullable Backend crdRuntime,
                Consumer<HolderType> doubt,
                HistoryModes historyModes) {
            this(name, base, crdRuntime, doubt, historyModes, false);
        }
    }

    /**
     * A group of equivalent API servers.
     *
     * @param upstream the connections to them
     * @param endpoints their addresses; a {@code Location} that names one is rewritten
     * @param identity how callers are presented there
     */
    record Backend(Upstream upstream, List<URI> endpoints, UpstreamIdentity identity) {
        public Backend {
            endpoints = List.copyOf(endpoints);
        }

        /**
         * What vouches for those whom the cluster itself authenticates: its connections, with the servers behind them where callers'
         * tokens are sent there; equal as long as it is the same.
         */
        public Object voucher() {
            return identity instanceof UpstreamIdentity.Passthrough passthrough
                    ? new Voucher(upstream, passthrough.servers())
                    : upstream;
        }

        /** The only servers that requests about a caller's token may be sent to; null where tokens are not passed on. */
        public @Nullable Servers pinned() {
            return identity instanceof UpstreamIdentity.Passthrough passthrough ? passthrough.servers() : null;
        }

        private record Voucher(Upstream upstream, Servers servers) {}
    }

    /**
     * Registered, but it cannot be served now (no usable credential, still being created, paused): 503 without
     * {@code Retry-After}, since it takes a person to change that.
     *
     * @param cause the machine-readable cause ({@code NoReadyEndpoint})
     * @param message for people: what is missing and what was expected; contains no credential
     */
    record Unready(ClusterName name, String cause, String message) implements ClusterEntry {}

    /**
     * A hosted cluster that is registered but not open yet: a request waits a moment, then 503 with
     * {@code Retry-After}.
     */
    record Opening(ClusterName name, Opens opens) implements ClusterEntry {}

    /** A hosted cluster that is being opened. Threads: any. */
    interface Opens {
        /** The cluster, once it is open. */
        Optional<HostedCluster> opened();

        /** Opens it before clusters without waiting requests, and waits; returns whether it is open. */
        boolean await(Duration timeout) throws InterruptedException;
    }

    /** No cluster has this id. */
    record NotRegistered(ClusterName name) implements ClusterEntry {}
}
