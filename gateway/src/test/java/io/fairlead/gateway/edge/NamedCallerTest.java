package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers of a cluster to which Fairlead is a front proxy, and those whom it must not tell it of. */
class NamedCallerTest {
    private static final ClusterName CLUSTER = Presentation.REQUEST_HEADER.cluster();
    private static final String PODS = "/clusters/" + CLUSTER + "/api/v1/pods";

    private TestEdge edge;
    private RawUpstream server;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        server = new RawUpstream(edge.pki.server());
        Presentation.REQUEST_HEADER.attach(edge, server.url());
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
        server.close();
    }

    @Test
    void callerWithTheNameOfFairleadItself_is403() throws Exception {
        try (RawClient client = edge.client(edge.pki.client("CN=" + Presentation.OWN_USER))) {
            RawAnswer answer = client.get(PODS);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body())
                    .contains(Presentation.OWN_USER)
                    .contains("Fairlead itself is known to the cluster");
        }
        assertThat(server.received()).isEmpty();
        try (RawClient client = edge.client(edge.pki.client("CN=" + Presentation.OWN_USER + "2"))) {
            assertThat(client.get(PODS).status()).isEqualTo(200);
        }
    }

    /** The directory is published after the connections are changed: a request in between names its caller in the old way. */
    @Test
    void callerNamedAsByAFrontProxy_isNotSentWithTheTokenThatTheClusterHasSince() throws Exception {
        edge.upstreamOf(CLUSTER.value())
                .reconfigure(new UpstreamSpec(
                        List.of(server.url()), edge.pki.caPem(), null, null, null, TestEdge.FAIRLEADS_TOKEN));

        requireUnsent("UpstreamClosed");
    }

    @Test
    void callerNamedByImpersonation_isNotSentWithTheCertificateThatTheClusterHasSince() throws Exception {
        Presentation.IMPERSONATE.attach(edge, server.url());
        UpstreamSpec frontProxy = Presentation.REQUEST_HEADER.spec(edge, server.url());
        Upstream upstream = edge.upstreamOf(Presentation.IMPERSONATE.cluster().value());
        upstream.reconfigure(frontProxy);
        upstream.triedAsFrontProxy(frontProxy, true);

        try (RawClient client = edge.client()) {
            RawAnswer answer =
                    client.get("/clusters/" + Presentation.IMPERSONATE.cluster() + "/api/v1/pods", TestEdge.JANE);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("\"reason\":\"UpstreamClosed\"");
        }
        assertThat(server.received()).isEmpty();
    }

    @Test
    void serversThatTakeFairleadForNoFrontProxy_areSentNoCaller() throws Exception {
        edge.upstreamOf(CLUSTER.value()).triedAsFrontProxy(Presentation.REQUEST_HEADER.spec(edge, server.url()), false);
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, TestEdge.JANE).status())
                    .as("that was another certificate")
                    .isEqualTo(200);
        }
        int before = server.heads().size();
        UpstreamSpec spec = Presentation.REQUEST_HEADER.spec(edge, server.url());
        edge.upstreamOf(CLUSTER.value()).reconfigure(spec);
        edge.upstreamOf(CLUSTER.value()).triedAsFrontProxy(spec, false);

        requireUnsent("UpstreamNotProven", before);
    }

    private void requireUnsent(String cause) throws Exception {
        requireUnsent(cause, 0);
    }

    private void requireUnsent(String cause, int before) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(PODS, TestEdge.JANE);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("\"reason\":\"" + cause + "\"");
            assertThat(client.exchange(
                                    "POST",
                                    "/clusters/" + CLUSTER + "/api/v1/namespaces/a/pods/b/exec?command=sh",
                                    TestEdge.JANE,
                                    "Connection: Upgrade",
                                    "Upgrade: SPDY/3.1")
                            .status())
                    .isEqualTo(503);
        }
        assertThat(server.heads()).hasSize(before);
    }
}
