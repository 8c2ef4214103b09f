package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;
import io.fairlead.gateway.publication.Publication;
import io.fairlead.gateway.publication.Publications;
import io.fairlead.http.FieldName;
import io.fairlead.http.Via;
import io.fairlead.model.ClusterName;
import io.fairlead.model.ClusterPath;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects a request's cluster: by its path, a header or its host; otherwise the default cluster, if there is one. All
 * forms in use must name the same cluster. Of the requests of a publication's front proxy the connection selects it, and
 * their host, which is the target's affair, nothing.
 */
public final class Selector {
    private static final int SHOWN_MAX = 128;

    private final @Nullable ClusterName defaultCluster;
    private final List<SelectingHeader> headers;
    private final @Nullable BaseDomain baseDomain;
    private final Via own;
    private final Publications publications;

    /**
     * A selector.
     *
     * @param defaultCluster the cluster for requests that name none, or null to refuse them
     * @param headers the names of the selecting headers, which are removed here
     * @param baseDomain the domain of the clusters' hosts, or null if hosts select nothing
     */
    public Selector(@Nullable ClusterName defaultCluster, List<String> headers, @Nullable BaseDomain baseDomain) {
        this(defaultCluster, headers, baseDomain, Via.NONE);
    }

    /**
     * As above.
     *
     * @param own the entry in {@code Via} of the requests that this gateway sends: none of them is taken
     */
    public Selector(
            @Nullable ClusterName defaultCluster, List<String> headers, @Nullable BaseDomain baseDomain, Via own) {
        this(defaultCluster, headers.stream().map(SelectingHeader::of).toList(), baseDomain, own, new Publications());
    }

    private Selector(
            @Nullable ClusterName defaultCluster,
            List<SelectingHeader> headers,
            @Nullable BaseDomain baseDomain,
            Via own,
            Publications publications) {
        this.own = own;
        this.defaultCluster = defaultCluster;
        this.headers = headers;
        this.baseDomain = baseDomain;
        this.publications = publications;
    }

    /** The same, which also takes the requests of publications. */
    public Selector with(Publications others) {
        return new Selector(defaultCluster, headers, baseDomain, own, others);
    }

    /**
     * Selects.
     *
     * @throws StatusException with 400 for an escaped or invalid id and for forms that disagree, with 404 if none names
     *     a cluster and there is no default one, with 421 for a request on a connection to another cluster's host, with
     *     508 for one that this gateway has sent itself
     */
    public Selected select(Received received) {
        Arrival arrival = publications.arrival(received.peer());
        ClusterPath path = ClusterPath.parse(received.target());
        return new Selected(
                received,
                switch (arrival) {
                    case Arrival.Direct _ -> direct(received, path);
                    case Arrival.Proxied(Publication publication) -> published(received, path, publication);
                    case Arrival.Unproven _ -> new Target.Unproven(path.path(), path.query());
                },
                arrival);
    }

    private Target direct(Received received, ClusterPath path) {
        if (own.isIn(received.headers())) {
            throw new StatusException(loop());
        }
        Choice choice = named(received, path);
        choice.add(fromHost(received), "its host");
        return target(path, choice.cluster);
    }

    /**
     * The source of a publication, also for the paths of the gateway itself. It is hosted, so that nothing leads back
     * here, even if this gateway has sent the request to the target.
     */
    private Target published(Received received, ClusterPath path, Publication publication) {
        Choice choice = named(received, path);
        choice.add(publication.source(), "its connection, which is for what is published in another cluster");
        return new Target.Cluster(publication.source(), path.prefix(), path.path(), path.query());
    }

    /** What path and headers name; the latter are removed. */
    private Choice named(Received received, ClusterPath path) {
        Choice choice = new Choice();
        choice.add(path.cluster(), "its path");
        for (SelectingHeader header : headers) {
            ClusterName named = fromHeader(received, header);
            if (named != null) {
                choice.add(named, header + " header");
            }
        }
        return choice;
    }

    private static @Nullable ClusterName fromHeader(Received received, SelectingHeader header) {
        List<String> values = received.headers().all(header.name());
        if (values.isEmpty()) {
            return null;
        }
        received.headers().remove(header.name());
        if (values.size() > 1) {
            throw refusal(header + " header: " + values.size() + " of them (expected one)");
        }
        String id = values.getFirst();
        if (!ClusterName.isValid(id)) {
            throw refusal(header + " header: \"" + id.substring(0, Math.min(SHOWN_MAX, id.length()))
                    + "\" (expected the id of one cluster: a DNS-1123 label in lower case, nothing encoded)");
        }
        return new ClusterName(id);
    }

    private @Nullable ClusterName fromHost(Received received) {
        String host = received.headers().get(FieldName.HOST);
        BaseDomain domain = baseDomain;
        if (domain == null || host == null) {
            return null;
        }
        requireSameServerName(received.peer(), BaseDomain.withoutPort(host), domain);
        return domain.clusterOf(host);
    }

    /** A certificate presented to one cluster's host must not authenticate to another's (RFC 9110 section 15.5.20). */
    private static void requireSameServerName(Peer peer, String host, BaseDomain domain) {
        String serverName = peer.serverName();
        boolean matters = serverName != null
                && !peer.certificates().isEmpty()
                && domain.isBelow(serverName)
                && !serverName.equalsIgnoreCase(host);
        if (matters) {
            throw new StatusException(Status.of(
                    421,
                    "MisdirectedRequest",
                    "Host header: \"" + host + "\" (expected \"" + serverName
                            + "\", to which the connection with this client certificate was opened)"));
        }
    }

    private Target target(ClusterPath path, @Nullable ClusterName selected) {
        if (selected != null) {
            return new Target.Cluster(selected, path.prefix(), path.path(), path.query());
        }
        if (Target.Gateway.claims(path.path())) {
            return new Target.Gateway(path.path(), path.query());
        }
        ClusterName other = defaultCluster;
        if (other == null) {
            throw new StatusException(unnamed());
        }
        return new Target.Cluster(other, "", path.path(), path.query());
    }

    private Status unnamed() {
        StringBuilder forms = new StringBuilder("/clusters/ID before its path");
        if (!headers.isEmpty()) {
            forms.append(", or a header \"").append(headers.getFirst()).append(": ID\"");
        }
        BaseDomain domain = baseDomain;
        if (domain != null) {
            forms.append(", or the host ").append(domain.form());
        }
        return Status.of(
                        404,
                        "ClusterNotNamed",
                        "the request names no cluster, and there is no default one (expected " + forms
                                + "; kubectl proxy, and kubectl before 1.34 with --raw, drop the path of a server's"
                                + " URL)")
                .asWarning();
    }

    private static StatusException refusal(String message) {
        return new StatusException(Status.badRequest(message));
    }

    /** The one cluster named by all forms. */
    private static final class Choice {
        private @Nullable ClusterName cluster;
        private String form = "";

        void add(@Nullable ClusterName other, String otherForm) {
            if (other == null) {
                return;
            }
            if (cluster != null && !cluster.equals(other)) {
                throw refusal("cluster: \"" + cluster + "\" by " + form + ", \"" + other + "\" by " + otherForm
                        + " (expected the same)");
            }
            cluster = other;
            form = otherForm;
        }
    }

    /** A header that selects a cluster, as it is written and as it is compared. */
    private record SelectingHeader(String text, FieldName name) {
        static SelectingHeader of(String text) {
            return new SelectingHeader(text, FieldName.of(text));
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A cluster leads back here. Its registration is not served once its identity was checked, which this answer ends. */
    private static Status loop() {
        return Status.withCause(
                508,
                "LoopDetected",
                "the request was sent by this Fairlead itself: a registered cluster leads back to it, directly or"
                        + " through others (expected endpoints of the cluster's own API servers)",
                "ClusterIdentitySelf",
                0);
    }
}
