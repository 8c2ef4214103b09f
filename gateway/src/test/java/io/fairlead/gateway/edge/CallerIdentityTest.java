package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a caller is and what an attached cluster is told of it, read off the bytes that the cluster received. */
class CallerIdentityTest {
    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void impersonateHeaders_areComputedFromTheCertificate() throws Exception {
        try (RawClient client = edge.client(edge.pki.client("CN=jane,O=dev"))) {
            assertThat(client.get("/clusters/prod/api/v1/pods").status()).isEqualTo(200);
        }

        assertThat(prod.header("Impersonate-User")).containsExactly("jane");
        assertThat(prod.header("Impersonate-Group")).containsExactly("dev", "system:authenticated");
        assertThat(prod.header("Authorization")).containsExactly("Bearer " + TestEdge.FAIRLEADS_TOKEN);
    }

    @ParameterizedTest
    @CsvSource({
        "Impersonate-User: root, 403",
        "impersonate-user: root, 403",
        "Impersonate-Group: system:masters, 400",
        "IMPERSONATE-ANYTHING: x, 403"
    })
    void impersonateHeaderOfTheCaller_isNeverCopied(String header, int status) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/prod/api/v1/pods", TestEdge.ADMIN, header);

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("\"kind\":\"Status\"").containsIgnoringCase("impersonat");
        }
        assertNothingButReviews();
    }

    @Test
    void impersonateHeaderOfTheCaller_overHttp2_isNeverCopied() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("GET", "/clusters/prod/api/v1/pods")
                            .add("authorization", "Bearer admin-token")
                            .add("impersonate-user", "root"),
                    true);

            assertThat(stream.next()).isEqualTo("head 403");
        }
        assertNothingButReviews();
    }

    /** The cluster may be asked whether the caller may; it does not say yes here. */
    private void assertNothingButReviews() {
        assertThat(prod.heads())
                .allSatisfy(head -> assertThat(head)
                        .startsWith("POST /apis/authorization.k8s.io/v1/subjectaccessreviews ")
                        .doesNotContainIgnoringCase("impersonate-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?watch=1"})
    void connectionHeader_thatNominatesOurHeaders_changesNothing(String query) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(
                    "/clusters/prod/api/v1/pods" + query,
                    TestEdge.JANE,
                    "Connection: Impersonate-User, keep-alive, Authorization",
                    "Connection: Impersonate-Group, X-Forwarded-For, Audit-Id");

            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(prod.header("Impersonate-User")).containsExactly("jane");
        assertThat(prod.header("Impersonate-Group")).containsExactly("dev", "ops", "system:authenticated");
        assertThat(prod.header("Authorization")).containsExactly("Bearer " + TestEdge.FAIRLEADS_TOKEN);
        assertThat(prod.header("X-Forwarded-For")).containsExactly("127.0.0.1");
        assertThat(prod.header("Audit-Id")).hasSize(1);
    }

    @Test
    void connectionHeader_nominatedHeaderOfTheCaller_isDropped() throws Exception {
        try (RawClient client = edge.client()) {
            client.get("/clusters/prod/api", TestEdge.JANE, "Connection: X-Secret", "X-Secret: 1", "X-Kept: 2");
        }
        assertThat(prod.header("X-Secret")).isEmpty();
        assertThat(prod.header("X-Kept")).containsExactly("2");
    }

    @Test
    void connectionHeader_overHttp2_isAStreamError() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("GET", "/clusters/prod/api/v1/pods")
                            .add("authorization", "Bearer jane-token")
                            .add("connection", "impersonate-user"),
                    true);

            assertThat(stream.last()).isEqualTo("reset PROTOCOL_ERROR");
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void claimsOfTheCaller_neverReachTheCluster() throws Exception {
        try (RawClient client = edge.client()) {
            client.get(
                    "/clusters/prod/api",
                    TestEdge.JANE,
                    "X-Remote-User: root",
                    "X-Remote-Group: system:masters",
                    "x-remote-extra-scopes: all",
                    "X-Kubernetes-Cluster: other",
                    "Proxy-Authorization: Basic eA==");
        }
        assertThat(prod.received().toLowerCase(Locale.ROOT))
                .doesNotContain("x-remote")
                .doesNotContain("x-kubernetes-cluster")
                .doesNotContain("proxy-authorization")
                .doesNotContain("jane-token");
    }

    @Test
    void userAgentAndForwardedFor_areExtended() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(
                    "/clusters/prod/api",
                    TestEdge.JANE,
                    "User-Agent: kubectl/v1.36",
                    "X-Forwarded-For: 10.1.1.1",
                    "Audit-Id: given-by-the-caller");

            assertThat(answer.header("Audit-Id")).isEqualTo("given-by-the-caller");
        }
        assertThat(prod.header("User-Agent")).singleElement().asString().startsWith("kubectl/v1.36 fairlead/");
        assertThat(prod.header("X-Forwarded-For")).containsExactly("10.1.1.1, 127.0.0.1");
        assertThat(prod.header("Audit-Id")).containsExactly("given-by-the-caller");
    }

    @Test
    void mastersAndDeniedGroups_areLeftOut() throws Exception {
        RawUpstream strict = edge.attach("strict", new UpstreamIdentity.Impersonate(false, Set.of("dev")));
        RawUpstream open = edge.attach("open", new UpstreamIdentity.Impersonate(true, Set.of()));

        try (RawClient client = edge.client(edge.pki.client("CN=root,O=system:masters,O=dev"))) {
            client.get("/clusters/strict/api");
            client.get("/clusters/open/api");
        }

        assertThat(strict.header("Impersonate-Group")).containsExactly("system:authenticated");
        assertThat(open.header("Impersonate-Group")).contains("system:masters", "dev");
    }

    @Test
    void withoutAccess_theAnswerIsTheSameForKnownAndUnknownClusters() throws Exception {
        edge.root.allow((user, request) -> !request.verb().equals("access"));

        try (RawClient client = edge.client()) {
            RawAnswer known = client.get("/clusters/prod/api/v1/pods", TestEdge.JANE, "Audit-Id: a");
            edge.remove("prod");
            RawAnswer unknown = client.get("/clusters/prod/api/v1/pods", TestEdge.JANE, "Audit-Id: a");

            assertThat(known.status()).isEqualTo(403);
            assertThat(known.header("warning"))
                    .isEqualTo("299 - \"clusters.fairlead.io is forbidden: User \\\"jane\\\" cannot access the"
                            + " resource \\\"clusters\\\" in API group \\\"fairlead.io\\\" by the name that the"
                            + " request gives, or by the default one if it gives none: it is no cluster, or one"
                            + " that this user may not enter (expected the verb \\\"access\\\" on"
                            + " clusters.fairlead.io with the cluster's name, which an administrator of"
                            + " Fairlead binds in cluster root)\"");
            assertThat(unknown).isEqualTo(known);
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void unknownCluster_withAccess_isClusterNotFound() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/nowhere/api", TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).contains("\"reason\":\"ClusterNotFound\"").contains("nowhere");
            assertThat(answer.header("warning"))
                    .isEqualTo("299 - \"cluster \\\"nowhere\\\" is not registered (expected the id of a cluster)\"");
        }
    }

    @Test
    void withoutCredential_everyClusterIs401() throws Exception {
        try (RawClient client = edge.client()) {
            for (String target :
                    new String[] {"/api", "/clusters/prod/readyz", "/clusters/nowhere/readyz", "/fairlead/v1/x"}) {
                RawAnswer answer = client.get(target);
                assertThat(answer.status()).as(target).isEqualTo(401);
                assertThat(answer.body()).contains("\"reason\":\"Unauthorized\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer wrong",
                "Authorization: Basic YWRtaW46YWRtaW4=",
                "Authorization: Bearer",
                "Authorization: Bearer admin-token, Bearer x"
            })
    void credentialThatNobodyAccepts_is401EvenForProbes(String credential) throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get("/livez", credential).status()).isEqualTo(401);
            assertThat(client.get("/clusters/prod/api", credential).status()).isEqualTo(401);
        }
    }

    @Test
    void certificateThatNamesFairleadItself_is401() throws Exception {
        try (RawClient client = edge.client(edge.pki.client("CN=system:fairlead:fleet,O=system:masters"))) {
            assertThat(client.get("/api").status()).isEqualTo(401);
        }
    }

    @Test
    void certificateOfAnotherCa_is401() throws Exception {
        try (RawClient client = edge.client(new TestPki().client("CN=mallory,O=system:masters"))) {
            assertThat(client.get("/clusters/prod/api").status()).isEqualTo(401);
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void failedAuthentications_beyondTheLimit_are429() throws Exception {
        try (RawClient client = edge.client()) {
            int tooMany = 0;
            for (int i = 0; i < 200 && tooMany == 0; i++) {
                tooMany += client.get("/livez", "Authorization: Bearer wrong").status() == 429 ? 1 : 0;
            }
            assertThat(tooMany).isEqualTo(1);
            assertThat(client.get("/livez", TestEdge.JANE).status()).isEqualTo(200);
        }
    }
}
