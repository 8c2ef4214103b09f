package io.fairlead.fleet;

import io.fairlead.clustersync.AttachedScope;
import io.fairlead.clustersync.CrdRuntimeScope;
import io.fairlead.clustersync.HostedScope;
import io.fairlead.clustersync.WithheldScope;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A registered cluster while it is served, with all its resources; closing it closes them. */
sealed interface Member extends AutoCloseable {
    /** The entry for requests. */
    ClusterEntry entry();

    /** Its address, for people. */
    String url();

    /** Checks again which cluster it is, if that is another's to say. */
    default void checkIdentity() {}

    /** Closes what the replacing member, which is served by now, does not reuse. */
    default void makeWayFor(Member after) {
        close();
    }

    @Override
    void close();

    /** A hosted cluster. Closing ends its scope; the owner closes the cluster itself. */
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

    /** A hosted cluster that is being opened. Closing cancels that, or closes the opened cluster. */
    record Opening(ClusterName name, Openings.Ticket ticket) implements Member {
        /** Whether a member is what was being opened. */
        boolean became(Member after) {
            return ticket.member().filter(after::equals).isPresent();
        }

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
     * An attached cluster.
     *
     * @param crdRuntime the servers of custom resources; null if the base serves them
     * @param holdsWrites whether requests that may change something wait for a person to confirm which cluster it is
     */
    record Attached(
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            AttachedScope scope,
            @Nullable CrdRuntimeScope crdRuntime,
            boolean holdsWrites)
            implements Member {
        @Override
        public ClusterEntry entry() {
            ClusterEntry.Backend base = backend(scope.upstream(), credentials.upstream());
            UpstreamSpec runtime = credentials.crdRuntime();
            return new ClusterEntry.Attached(
                    scope.name(),
                    base,
                    crdRuntime == null || runtime == null ? null : backend(crdRuntime.upstream(), runtime),
                    scope::doubt,
                    spec.historyModes(),
                    holdsWrites);
        }

        private ClusterEntry.Backend backend(Upstream upstream, UpstreamSpec servers) {
            return new ClusterEntry.Backend(upstream, servers.endpoints(), identity());
        }

        /** All servers see the same callers, whichever credential presents them. */
        private UpstreamIdentity identity() {
            return switch (spec.identity()) {
                case IMPERSONATE ->
                    new UpstreamIdentity.Impersonate(
                            spec.allowSystemMasters(), spec.deniedGroups(), spec.constrainedImpersonation());
                case PASSTHROUGH ->
                    new UpstreamIdentity.Passthrough(credentials.upstream().servers());
                case REQUEST_HEADER ->
                    new UpstreamIdentity.RequestHeader(
                            spec.allowSystemMasters(),
                            spec.deniedGroups(),
                            spec.constrainedImpersonation(),
                            ownUsers());
            };
        }

        /** Those of both credentials, which may have rights in all servers. */
        private Set<String> ownUsers() {
            return Stream.of(Optional.of(credentials.upstream()), Optional.ofNullable(credentials.crdRuntime()))
                    .flatMap(Optional::stream)
                    .map(UpstreamSpec::ownUser)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet());
        }

        @Override
        public String url() {
            return credentials.upstream().endpoints().getFirst().toString();
        }

        @Override
        public void checkIdentity() {
            scope.checkIdentity();
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

    /**
     * An attached cluster that is not served, for the cluster that its endpoints lead to: that is checked again and again.
     *
     * @param cause why, for programs
     */
    record Withheld(ClusterSpec.Attached spec, Credentials.Resolved credentials, WithheldScope scope, String cause)
            implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Unready(scope.name(), cause, toCallers(scope.name(), cause));
        }

        @Override
        public String url() {
            return credentials.upstream().endpoints().getFirst().toString();
        }

        @Override
        public void checkIdentity() {
            scope.checkIdentity();
        }

        @Override
        public void makeWayFor(Member after) {
            if (!(after instanceof Withheld now) || !now.scope.equals(scope)) {
                close();
            }
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** Callers may enter the cluster without the right to read its Secrets and servers, or to know of other clusters. */
    private static String toCallers(ClusterName name, String reason) {
        return "it is not served now: " + reason + " (expected as the conditions of clusters.fairlead.io \"" + name
                + "\" in the root cluster say)";
    }

    /** Registered, but it cannot be served: with the reason for its conditions. */
    record Unready(ClusterName name, String reason, String message) implements Member {
        @Override
        public ClusterEntry entry() {
            return new ClusterEntry.Unready(name, reason, toCallers(name, reason));
        }

        @Override
        public String url() {
            return "";
        }

        @Override
        public void close() {}
    }
}
