package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The ways to present callers to an attached cluster, each with a cluster of its own. */
enum Presentation {
    IMPERSONATE,
    REQUEST_HEADER,
    PASSTHROUGH;

    /** The user of Fairlead's own requests as a front proxy. */
    static final String OWN_USER = "fairlead-itself";

    ClusterName cluster() {
        return new ClusterName(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** What names Fairlead itself in its own requests. */
    String own() {
        return this == REQUEST_HEADER
                ? "x-remote-user: " + OWN_USER
                : "authorization: Bearer " + TestEdge.FAIRLEADS_TOKEN;
    }

    /** Registers the cluster, which says whose the tokens are that are nothing to the gateway. */
    void attach(TestEdge edge, URI url) {
        UpstreamSpec spec = spec(edge, url);
        edge.directory.reviewing.add(cluster());
        Upstream upstream = edge.open(spec);
        upstream.triedAsFrontProxy(spec, true);
        edge.register(new ClusterEntry.Attached(
                cluster(),
                new ClusterEntry.Backend(upstream, List.of(url), identity(spec)),
                null,
                _ -> {},
                HistoryModes.UNSET));
    }

    UpstreamSpec spec(TestEdge edge, URI url) {
        if (this == REQUEST_HEADER) {
            var own = edge.pki.client("CN=" + OWN_USER);
            return new UpstreamSpec(
                            List.of(url), edge.pki.caPem(), null, own.getCertificatePathPEM(), own.getPrivateKeyPEM())
                    .asFrontProxy(OWN_USER);
        }
        return new UpstreamSpec(List.of(url), edge.pki.caPem(), null, null, null, TestEdge.FAIRLEADS_TOKEN);
    }

    private UpstreamIdentity identity(UpstreamSpec spec) {
        return switch (this) {
            case IMPERSONATE -> new UpstreamIdentity.Impersonate(false, Set.of());
            case REQUEST_HEADER -> new UpstreamIdentity.RequestHeader(false, Set.of(), Set.of(OWN_USER));
            case PASSTHROUGH -> new UpstreamIdentity.Passthrough(spec.servers());
        };
    }
}
