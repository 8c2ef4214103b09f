package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.ReviewedTokens;
import io.fairlead.gateway.authn.ReviewedTokensFixture;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.UserInfo;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers' own tokens, and the servers that they are sent to. */
class PassedTokenTest {
    private static final String PODS = "/clusters/passthrough/api/v1/pods";
    private static final String OWN = "Authorization: Bearer " + Proof.CLUSTERS_TOKEN;

    private volatile TokenAuthenticator asked = _ -> new Verdict.NotMine("");
    private TestEdge edge;
    private IdentityRecorder first;
    private IdentityRecorder second;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.BY_DEFAULT, new TokenAuthenticator() {
            @Override
            public Verdict atOnce(Bearer bearer) {
                return asked.atOnce(bearer);
            }

            @Override
            public Verdict judge(Bearer bearer) {
                return asked.judge(bearer);
            }
        });
        asked = new ReviewedTokens(
                edge.directory,
                ReviewedTokensFixture.askedBy(edge.directory),
                _ -> false,
                Limited.BY_DEFAULT.limits(),
                _ -> {});
        first = new IdentityRecorder(edge);
        second = new IdentityRecorder(edge);
        Presentation.PASSTHROUGH.attach(edge, first.server().url());
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
        first.close();
        second.close();
    }

    /** The directory is published after the connections are changed: a request in between knows the servers of before. */
    @Test
    void tokenThatServersHaveAccepted_isNotSentToThoseThatTheConnectionsLeadToSince() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, OWN).status()).isEqualTo(200);
            edge.upstreamOf("passthrough").reconfigure(spec(second.server().url()));

            RawAnswer answer = client.get(PODS, OWN);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("\"reason\":\"UpstreamClosed\"");
            assertThat(client.exchange(
                                    "POST",
                                    "/clusters/passthrough/api/v1/namespaces/a/pods/b/exec?command=sh",
                                    OWN,
                                    "Connection: Upgrade",
                                    "Upgrade: SPDY/3.1")
                            .status())
                    .isEqualTo(503);
        }
        assertThat(second.server().received()).isEmpty();
    }

    /** Nor are they asked whose it is in the name of those before. */
    @Test
    void tokenOfNoKnownUser_isNotShownToServersThatTheConnectionsLeadToSince() throws Exception {
        edge.upstreamOf("passthrough").reconfigure(spec(second.server().url()));

        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, OWN).status()).isEqualTo(401);
        }
        assertThat(second.server().received()).isEmpty();
    }

    @Test
    void tokenOfTheServersOfBefore_isReviewedAnewByTheNextOnes() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, OWN).status()).isEqualTo(200);
            ClusterEntry before = edge.directory.lookup(Presentation.PASSTHROUGH.cluster());
            Presentation.PASSTHROUGH.attach(edge, second.server().url());
            assertThat(edge.directory.lookup(Presentation.PASSTHROUGH.cluster()))
                    .isNotEqualTo(before);

            assertThat(client.get(PODS, OWN).status()).isEqualTo(200);
        }
        assertThat(first.told().requests()).hasSize(1);
        IdentityRecorder.Told told = second.told();
        assertThat(told.reviews()).containsExactly(List.of(Presentation.PASSTHROUGH.own()));
        assertThat(told.requests()).containsExactly(List.of("authorization: Bearer " + Proof.CLUSTERS_TOKEN));
    }

    /** The cluster may have another opinion of who its token is by now, and decides whether they may be this user. */
    @Test
    void impersonationOfWhomTheTokenWasReviewedAs_isPassedOn() throws Exception {
        UserInfo robot = Objects.requireNonNull(Proof.TOKEN_REVIEW.user(Presentation.PASSTHROUGH));
        List<String> claimed = List.of(
                "impersonate-user: " + robot.name(),
                "impersonate-uid: " + robot.uid(),
                "impersonate-group: " + robot.groups().get(0),
                "impersonate-group: " + robot.groups().get(1),
                "impersonate-extra-example.com%2fpod: p");
        List<String> lines = new ArrayList<>(claimed);
        lines.add(OWN);
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, lines.toArray(String[]::new)).status()).isEqualTo(200);
        }

        List<String> told = new ArrayList<>(claimed);
        told.add("authorization: Bearer " + Proof.CLUSTERS_TOKEN);
        assertThat(first.told().requests())
                .containsExactly(told.stream().sorted().toList());
    }

    /** It is the caller's credential that the cluster refuses. */
    @Test
    void refusalOfTheToken_isPassedOn() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, OWN).status()).isEqualTo(200);
            first.server()
                    .answer((_, _, out) -> RawUpstream.write(
                            out,
                            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"kubernetes\"\r\n"
                                    + "Content-Length: 2\r\n\r\n{}"));

            RawAnswer answer = client.get(PODS, OWN);

            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("www-authenticate")).isEqualTo("Basic realm=\"kubernetes\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bearer", "BEARER", "Bearer  "})
    void schemeOfTheToken_isWrittenAnew(String scheme) throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, "Authorization: " + scheme + " " + Proof.CLUSTERS_TOKEN)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(first.told().requests()).containsExactly(List.of("authorization: Bearer " + Proof.CLUSTERS_TOKEN));
    }

    @Test
    void callerWithAnotherCredential_isToldWhichIsExpected_alsoAsAWarning() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(PODS, TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body())
                    .contains("\"reason\":\"PassthroughNeedsClusterToken\"")
                    .contains("expected a bearer token that this cluster itself accepts");
            assertThat(answer.header("warning")).contains("is sent the own tokens of its users alone");
        }
        assertThat(first.server().received()).isEmpty();
    }

    /** A user of the cluster has no way into another one that takes the same token. */
    @Test
    void tokenOfOneCluster_isNotSentToAnother() throws Exception {
        Presentation.IMPERSONATE.attach(edge, second.server().url());
        edge.directory.reviewing.remove(Presentation.IMPERSONATE.cluster());

        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, OWN).status()).isEqualTo(200);
            assertThat(client.get("/clusters/impersonate/api/v1/pods", OWN).status())
                    .isEqualTo(401);
        }
        assertThat(second.server().received()).isEmpty();
    }

    private UpstreamSpec spec(URI url) {
        return new UpstreamSpec(List.of(url), edge.pki.caPem(), null, null, null, TestEdge.FAIRLEADS_TOKEN);
    }
}
