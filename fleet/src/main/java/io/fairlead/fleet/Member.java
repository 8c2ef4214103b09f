package io.fairlead.fleet;

import io.fairlead.clustersync.AttachedScope;
import io.fairlead.clustersync.CrdRuntimeScope;
import io.fairlead.clustersync.HostedScope;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import org.jspecify.annotations.Nullable;

/** A registered cluster while it is being served: everything that hangs off it, and closes with it. */
sealed interface Member extends AutoCloseable {
    /** What requests are led to. */
    ClusterEntry entry();

    /** Where it is served, for people. */
    String url();

    /** Ends what the member that takes its place, and is served by now, does not go on with. */
    default void makeWayFor(Member after) {
        close();
    }

    @Override
    void close();

    /** Served here. Closing it ends its scope; the cluster itself is the owner's to close. */
    record Hosted(HostedCluster cluster, HostedScope scope) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Hosted(cluster);
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** To be served here, and being opened. Closing it calls that off, or closes what came of it. */
    record Opening(ClusterName name, Openings.Ticket ticket) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Opening(name, ticket);
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {
            ticket.close();
        }
    }

    /**
     * Served elsewhere.
     *
     * @param crdRuntime the servers that take what CRDs serve; null if the base does
     */
    record Attached(
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            AttachedScope scope,
            @Nullable CrdRuntimeScope crdRuntime)
            implements Member {
        @Override
        public ClusterEntry entry() {
            ClusterEntry.Backend base = backend(scope.upstream(), credentials.upstream());
            UpstreamSpec runtime = credentials.crdRuntime();
            return new ClusterEntry.Attached(
                    scope.name(),
                    base,
                    crdRuntime == null || runtime == null ? null : backend(crdRuntime.upstream(), runtime),
                    scope::doubt);
        }

        private ClusterEntry.Backend backend(Upstream upstream, UpstreamSpec servers) {
            return new ClusterEntry.Backend(upstream, servers.endpoints(), identity(servers));
        }

        /** Callers are the same to all servers, whatever credential says so. */
        private UpstreamIdentity identity(UpstreamSpec servers) {
            return new UpstreamIdentity.Impersonate(
                    servers.bearerToken(), spec.allowSystemMasters(), spec.deniedGroups());
        }

        @Override
        public String url() {
            return credentials.upstream().endpoints().getFirst().toString();
        }

        @Override
        public void makeWayFor(Member after) {
            if (!(after instanceof Attached now) || !now.scope.equals(scope)) {
                close();
            } else if (crdRuntime != null && !crdRuntime.equals(now.crdRuntime)) {
                crdRuntime.close();
            }
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** Registered, but nothing can serve it: why, as its conditions say it. */
    record Unready(ClusterName name, String reason, String message) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Unready(name, reason, toCallers());
        }

        /** Callers may enter the cluster without the right to know its Secrets and servers. */
        private String toCallers() {
            return "it is not served now: " + reason + " (expected as the conditions of clusters.fairlead.io \"" + name
                    + "\" in the root cluster say)";
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {}
    }
}
