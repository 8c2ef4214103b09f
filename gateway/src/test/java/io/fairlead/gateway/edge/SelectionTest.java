package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.select.BaseDomain;
import io.fairlead.gateway.select.Selector;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which a request names its cluster: path, header, host. */
class SelectionTest {
    private static final String DOMAIN = "fleet.test";

    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(
                Limited.BY_DEFAULT,
                new Selector(
                        ClusterName.ROOT,
                        List.of("X-Kubernetes-Cluster", "X-Cluster"),
                        new BaseDomain(DOMAIN, "gateway." + DOMAIN)));
        prod = edge.attach("prod");
        prod.answer((_, _, out) -> RawUpstream.respond(out, 200, "{\"kind\":\"PodList\"}"));
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pods?limit=%35",
                "/apis/example.com/v1/unheard-of",
                "/readyz",
                "/version",
                "/metrics",
                "/api/v1/namespaces/%2e%2e/pods",
                "/"
            })
    void everyForm_givesTheSameBytes(String path) throws Exception {
        edge.host("dev").answer(request -> FakeHosted.json(200, request.info() + "|" + request.query()));
        for (String cluster : List.of("prod", "dev", "nowhere")) {
            RawAnswer byPath = ask("/clusters/" + cluster + path, "localhost");
            assertThat(ask("/clusters/" + cluster + "/control-plane" + path, "localhost"))
                    .isEqualTo(byPath);
            assertThat(ask("/k8s/clusters/" + cluster + path, "localhost")).isEqualTo(byPath);
            assertThat(ask(path, "localhost", "X-Kubernetes-Cluster: " + cluster))
                    .isEqualTo(byPath);
            assertThat(ask(path, "localhost", "x-cluster: " + cluster)).isEqualTo(byPath);
            assertThat(ask(path, cluster + "." + DOMAIN)).isEqualTo(byPath);
            assertThat(ask(path, cluster.toUpperCase(Locale.ROOT) + ".FLEET.Test.:443"))
                    .isEqualTo(byPath);
            assertThat(ask("/clusters/" + cluster + path, cluster + "." + DOMAIN, "X-Cluster: " + cluster))
                    .isEqualTo(byPath);
        }
        assertThat(prod.heads())
                .extracting(head -> head.substring(0, head.indexOf("\r\n")))
                .allMatch(line -> line.equals("GET " + path + " HTTP/1.1"))
                .hasSizeBetween(0, 8);
    }

    @Test
    void selectingHeaders_areNeverForwarded() throws Exception {
        ask("/api", "localhost", "X-Kubernetes-Cluster: prod", "X-Cluster: prod");
        ask("/clusters/prod/api", "localhost", "X-Cluster: prod");

        assertThat(prod.heads()).hasSize(2);
        assertThat(prod.received().toLowerCase(Locale.ROOT))
                .doesNotContain("x-cluster")
                .doesNotContain("x-kubernetes-cluster")
                .doesNotContain("fleet.test");
    }

    @Test
    void configuredHeader_selectsAndIsNeverForwarded() throws Exception {
        try (TestEdge other =
                new TestEdge(Limited.BY_DEFAULT, new Selector(ClusterName.ROOT, List.of("X-Where"), null))) {
            RawUpstream upstream = other.attach("prod");
            try (RawClient client = other.client()) {
                assertThat(client.get("/api/v1/pods", TestEdge.JANE, "X-Where: prod", "X-Cluster: dev")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(upstream.heads()).hasSize(1);
            assertThat(upstream.received().toLowerCase(Locale.ROOT))
                    .doesNotContain("x-where")
                    .doesNotContain("x-cluster");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", textBlock = """
        - | X-Cluster | /clusters/ID before its path, or a header \"X-Cluster: ID\"
        fleet.test | X-Cluster | /clusters/ID before its path, or a header \"X-Cluster: ID\", or the host ID.fleet.test
        - | - | /clusters/ID before its path
        """)
    void withoutADefaultCluster_aRequestThatNamesNoneIs404_andSaysHowToNameOne(
            @Nullable String domain, @Nullable String header, String forms) throws Exception {
        String message = "the request names no cluster, and there is no default one (expected " + forms
                + "; kubectl proxy, and kubectl before 1.34 with --raw, drop the path of a server's URL)";
        Selector selector = new Selector(
                null,
                header == null ? List.of() : List.of(header),
                domain == null ? null : new BaseDomain(domain, "gateway"));
        try (TestEdge strict = new TestEdge(Limited.BY_DEFAULT, selector);
                RawClient client = strict.client()) {
            for (String method : List.of("GET", "DELETE")) {
                RawAnswer answer = client.exchange(method, "/api/v1/namespaces/a/pods/b", TestEdge.ADMIN);

                assertThat(answer.status()).isEqualTo(404);
                assertThat(answer.header("warning")).isEqualTo("299 - \"" + message.replace("\"", "\\\"") + "\"");
                assertThat(answer.body()).isEqualTo("""
                    {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s",\
                    "reason":"ClusterNotNamed","code":404}
                    """.formatted(message.replace("\"", "\\\"")));
            }
            assertThat(client.get("/clusters/root/api", TestEdge.ADMIN).status())
                    .isEqualTo(200);
            assertThat(client.get("/readyz").status()).isEqualTo(200);
            assertThat(client.get("/fairlead/v1/version", TestEdge.ADMIN).status())
                    .isEqualTo(200);
            assertThat(strict.root.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /clusters/dev/api | localhost | X-Cluster: prod
        /api | dev.fleet.test | X-Cluster: prod
        /clusters/dev/api | prod.fleet.test | X-Other: 1
        /api | localhost | X-Cluster: prod\\r\\nX-Kubernetes-Cluster: dev
        /api | localhost | X-Cluster: prod\\r\\nX-Cluster: prod
        /api | localhost | X-Cluster: prod, prod
        /api | localhost | X-Cluster: prod,dev
        /api | localhost | X-Cluster:
        /api | localhost | X-Cluster: PROD
        /api | localhost | X-Cluster: pr%6fd
        /api | localhost | X-Cluster: ../prod
        /api | PR_OD.fleet.test | X-Other: 1
        /api | a.prod.fleet.test | X-Other: 1
        /api | -.fleet.test | X-Other: 1
        /api | .fleet.test | X-Other: 1
        """)
    void formsThatDisagreeOrAreNoId_are400AndReachNobody(String target, String host, String headers) throws Exception {
        RawAnswer answer = ask(target, host, headers.replace("\\r\\n", "\r\n"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("\"kind\":\"Status\"", "expected");
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void conflict_namesBothForms() throws Exception {
        assertThat(ask("/clusters/dev/api", "prod.fleet.test").body())
                .contains("\\\"dev\\\" by its path, \\\"prod\\\" by its host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "fleet.test",
                "gateway.fleet.test",
                "GATEWAY.fleet.test:443",
                "otherfleet.test",
                "127.0.0.1",
                "[::1]:6443"
            })
    void hostOfNoCluster_isTheDefaultClusterOrTheGatewayItself(String host) throws Exception {
        assertThat(ask("/api/v1/configmaps", host).status()).isEqualTo(200);
        assertThat(edge.root.requests()).hasSize(1);
        assertThat(ask("/version", host).body()).contains("test");
    }

    @Test
    void probesOfACluster_needACredentialInEveryForm() throws Exception {
        try (RawClient client = edge.client()) {
            for (String host : List.of("prod.fleet.test", "nowhere.fleet.test")) {
                client.send("GET /readyz HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                assertThat(client.answer(false).status()).isEqualTo(401);
            }
            assertThat(client.get("/readyz", "X-Cluster: prod").status()).isEqualTo(401);
            assertThat(client.get("/readyz").status()).isEqualTo(200);
        }
    }

    @Test
    void forms_overHttp2_areTheSame() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            assertThat(client.open(
                                    RawHttp2Client.head("GET", "/api/v1/pods")
                                            .authority("prod.fleet.test")
                                            .add("authorization", "Bearer jane-token"),
                                    true)
                            .next())
                    .isEqualTo("head 200");
            assertThat(client.open(
                                    RawHttp2Client.head("GET", "/api/v1/pods")
                                            .authority("prod.fleet.test")
                                            .add("authorization", "Bearer jane-token")
                                            .add("x-cluster", "dev"),
                                    true)
                            .next())
                    .isEqualTo("head 400");
        }
        assertThat(prod.heads()).hasSize(1);
    }

    @Test
    void location_leadsBelowThePrefixOfThePathFormAlone() throws Exception {
        prod.answer((_, _, out) -> RawUpstream.write(
                out, "HTTP/1.1 301 Moved\r\nLocation: " + prod.url() + "/openapi/\r\nContent-Length: 0\r\n\r\n"));

        assertThat(ask("/clusters/prod/openapi", "localhost").header("location"))
                .isEqualTo("/clusters/prod/openapi/");
        assertThat(ask("/openapi", "localhost", "X-Cluster: prod").header("location"))
                .isEqualTo("/openapi/");
        assertThat(ask("/openapi", "prod.fleet.test").header("location")).isEqualTo("/openapi/");
    }

    /** Such a path would lead to another cluster, to the gateway itself, or to another host. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/clusters/dev/api",
                "/k8s/clusters/dev/api",
                "/fairlead/v1/clusters",
                "/x/../clusters/dev/api",
                "/x/..//elsewhere.test/api",
                "/version"
            })
    void location_thatOnlyAPrefixWouldKeepWithinTheCluster_isRefusedWithoutOne(String location) throws Exception {
        prod.answer((_, _, out) -> RawUpstream.write(
                out, "HTTP/1.1 307 Moved\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n"));

        for (RawAnswer answer :
                List.of(ask("/openapi", "localhost", "X-Cluster: prod"), ask("/openapi", "prod.fleet.test"))) {
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.header("location")).isEmpty();
        }
        assertThat(ask("/clusters/prod/openapi", "localhost").header("location"))
                .startsWith("/clusters/prod/");
    }

    @Test
    void certificatePresentedToOneClustersHost_isMisdirectedToAnothers() throws Exception {
        var jane = edge.pki.client("CN=jane,O=dev");
        try (RawClient client = edge.client(jane, "prod.fleet.test")) {
            assertThat(asked(client, "/api", "prod.fleet.test").status()).isEqualTo(200);
            RawAnswer misdirected = asked(client, "/api", "dev.fleet.test");
            assertThat(misdirected.status()).isEqualTo(421);
            assertThat(misdirected.body()).contains("\"kind\":\"Status\"", "prod.fleet.test");
            assertThat(asked(client, "/clusters/dev/api", "localhost").status()).isEqualTo(421);
        }
        try (RawClient client = edge.client(jane, "localhost")) {
            assertThat(asked(client, "/api", "prod.fleet.test").status()).isEqualTo(200);
        }
    }

    @Test
    void tokenOnAConnectionToOneClustersHost_isGoodForAnothers() throws Exception {
        edge.host("dev");
        try (RawClient client = edge.client(null, "prod.fleet.test")) {
            client.send("GET /api HTTP/1.1\r\nHost: dev.fleet.test\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.answer(false).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_host", "a--", "dev_.fleet.test"})
    void serverNameThatIsNoHostName_isAsNone(String serverName) throws Exception {
        try (RawClient client = edge.client(null, serverName)) {
            client.send("GET /clusters/prod/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.answer(false).status()).isEqualTo(200);
            client.send("GET /api HTTP/1.1\r\nHost: dev_.fleet.test\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.answer(false).status()).isEqualTo(400);
        }
    }

    private static RawAnswer asked(RawClient client, String target, String host) throws Exception {
        client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        return client.answer(false);
    }

    private RawAnswer ask(String target, String host, String... headers) throws Exception {
        try (RawClient client = edge.client()) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + TestEdge.JANE + "\r\nAudit-Id: a\r\n"
                    + String.join(
                            "",
                            List.of(headers).stream().map(line -> line + "\r\n").toList())
                    + "\r\n");
            return client.answer(false).withoutDate();
        }
    }
}
