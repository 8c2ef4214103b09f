package io.fairlead.gateway.fleet;

import io.fairlead.clustersync.AttachedScope;
import io.fairlead.clustersync.HostedScope;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.gateway.select.UpstreamIdentity;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;

/** A registered cluster while it is being served: everything that hangs off it, and closes with it. */
sealed interface Member extends AutoCloseable {
    /** What requests are led to. */
    ClusterEntry entry();

    /** Where it is served, for people. */
    String url();

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

    /** Served elsewhere. */
    record Attached(ClusterSpec.Attached spec, Credentials.Resolved credentials, AttachedScope scope)
            implements Member {
        @Override
        public ClusterEntry entry() {
            ClusterEntry.Backend base = new ClusterEntry.Backend(
                    scope.upstream(), credentials.upstream().endpoints(), identity());
            return new ClusterEntry.Attached(scope.name(), base, null, scope::doubt);
        }

        private UpstreamIdentity identity() {
            return new UpstreamIdentity.Impersonate(
                    credentials.token(), spec.allowSystemMasters(), spec.deniedGroups());
        }

        @Override
        public String url() {
            return credentials.upstream().endpoints().getFirst().toString();
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
