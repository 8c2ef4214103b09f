package io.fairlead.gateway.fleet;

import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.gateway.select.UpstreamIdentity;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;

/** A registered cluster while it is being served: everything that hangs off it, and closes with it. */
sealed interface Member extends AutoCloseable {
    /** What requests are led to. */
    ClusterEntry entry();

    /** What is known of it. */
    Observed observed();

    /** Where it is served, for people. */
    String url();

    @Override
    void close();

    /** Served here. Closing it ends the observation; the cluster itself is the owner's to close. */
    record Hosted(HostedCluster cluster, Observation observation) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Hosted(cluster);
        }

        @Override
        public Observed observed() {
            return observation.now();
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {
            observation.close();
        }
    }

    /** Served elsewhere. */
    record Attached(
            ClusterName name,
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            Upstream upstream,
            Observation observation)
            implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Attached(
                    name, upstream, credentials.upstream().endpoints(), identity());
        }

        private UpstreamIdentity identity() {
            return new UpstreamIdentity.Impersonate(
                    credentials.token(), spec.allowSystemMasters(), spec.deniedGroups());
        }

        @Override
        public Observed observed() {
            return observation.now();
        }

        @Override
        public String url() {
            return credentials.upstream().endpoints().getFirst().toString();
        }

        @Override
        public void close() {
            observation.close();
            upstream.close();
        }
    }

    /** Registered, but nothing can serve it: why, as its conditions say it. */
    record Unready(ClusterName name, String reason, String message) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Unready(name, reason, message);
        }

        @Override
        public Observed observed() {
            Observed nothing = Observed.nothing();
            return new Observed(
                    Condition.no(Condition.REACHABLE, reason, message), nothing.typesSynced(), "", 0, 0, 0, null);
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {}
    }
}
