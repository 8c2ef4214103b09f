package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The ways to present callers to an attached cluster, and to the backend of an APIService of a hosted one; each with a cluster of its own. */
enum Presentation {
    IMPERSONATE,
    REQUEST_HEADER,
    PASSTHROUGH,
    /** To a backend. */
    AGGREGATED;

    /** The user of Fairlead's own requests as a front proxy. */
    static final String OWN_USER = "fairlead-itself";

    private static final String GROUP_VERSION = "boats.test/v1";

    ClusterName cluster() {
        return new ClusterName(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** What all paths of the resources begin with that the server has. */
    String group() {
        return this == AGGREGATED ? "/apis/" + GROUP_VERSION : "/api/v1";
    }

    /** What names Fairlead itself in its own requests. */
    String own() {
        return this == REQUEST_HEADER
                ? "x-remote-user: " + OWN_USER
                : "authorization: Bearer " + TestEdge.FAIRLEADS_TOKEN;
    }

    /** Registers the cluster, which says whose the tokens are that are nothing to the gateway. */
    void attach(TestEdge edge, URI url) {
        if (this == AGGREGATED) {
            aggregate(edge, url);
            return;
        }
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

    /** Hosts the cluster, which lets none of its users impersonate, and knows the ServiceAccount of one token. */
    private void aggregate(TestEdge edge, URI url) {
        FakeHosted hosted = edge.host(cluster().value());
        hosted.allow((_, request) -> !request.verb().equals("impersonate"));
        hosted.judgeTokens(token -> token.equals(Proof.ISSUED_TOKEN)
                ? new TokenVerdict.Accepted(Proof.ROBOT, List.of())
                : new TokenVerdict.Refused("it is not known"));
        Set<HolderType> types = EnumSet.allOf(HolderType.class);
        Contribution served = Contribution.unlisted(GroupVersion.parse(GROUP_VERSION));
        edge.index
                .open(cluster(), types)
                .relist(
                        types,
                        List.of(new Holder(HolderType.API_SERVICE, "v1.boats.test", "u", "9", List.of(served))),
                        "9");
        edge.aggregate(cluster(), "u", url);
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
            case AGGREGATED -> new UpstreamIdentity.Aggregated();
        };
    }
}
