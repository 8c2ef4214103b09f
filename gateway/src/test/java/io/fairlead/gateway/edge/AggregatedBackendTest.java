package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.FakeHosted.BASE_HANDLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.GroupVersion;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for what an APIService of a hosted cluster serves, read off the bytes that its backend received. */
class AggregatedBackendTest {
    private static final Set<HolderType> TYPES =
            EnumSet.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
    private static final String BOATS = "/apis/example.com/v1/namespaces/bay/boats";

    private TestEdge edge;
    private FakeHosted dev;

    @BeforeEach
    void register() throws Exception {
        edge = new TestEdge();
        dev = edge.host("dev");
        ClusterLedger ledger = edge.index.open(dev.name(), TYPES);
        ledger.relist(
                TYPES,
                List.of(new Holder(
                        HolderType.API_SERVICE,
                        "v1.example.com",
                        "u",
                        "9",
                        List.of(Contribution.unlisted(new GroupVersion("example.com", "v1"))))),
                "9");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                BOATS,
                BOATS + "/ark/status?fieldManager=me",
                "/apis/example.com/v1/boats?watch=true&resourceVersion=7",
                "/apis/example.com/v1",
                "/openapi/v3/apis/example.com/v1?hash=A0"
            })
    void whatAnApiServiceServes_goesToItsBackend_asTheCaller(String path) throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");

        assertThat(send("GET", path, TestEdge.JANE).status()).isEqualTo(200);

        assertThat(backend.heads()).singleElement().asString().startsWith("GET " + path + " HTTP/1.1");
        assertThat(backend.header("X-Remote-User")).containsExactly("jane");
        assertThat(backend.header("X-Remote-Group")).containsExactly("dev", "ops", "system:authenticated");
        assertThat(backend.header("Authorization")).isEmpty();
        assertThat(backend.header("Impersonate-User")).isEmpty();
        assertThat(dev.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis/example.com",
                "/apis/example.com/v2",
                "/apis/example.com/v2/boats",
                "/apis/other.example.com/v1",
                "/openapi/v3",
                "/openapi/v3/apis/example.com/v2",
                "/version"
            })
    void allElse_isTheClusters(String path) throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");

        send("GET", path, TestEdge.JANE);

        assertThat(backend.heads()).isEmpty();
        assertThat(dev.handlers()).containsExactly(BASE_HANDLER);
    }

    @Test
    void whatTheClusterDoesNotAllow_neverReachesTheBackend() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");
        dev.allow((user, request) ->
                request.namespace().equals("bay") && request.verb().equals("get"));

        assertThat(send("GET", BOATS + "/ark", TestEdge.JANE).status()).isEqualTo(200);
        assertThat(send("DELETE", BOATS + "/ark", TestEdge.JANE).status()).isEqualTo(403);
        assertThat(send("GET", BOATS.replace("bay", "sea") + "/ark", TestEdge.JANE)
                        .status())
                .isEqualTo(403);
        assertThat(send("GET", "/apis/example.com/v1", TestEdge.JANE).status()).isEqualTo(403);
        // Read in two ways, it could be another namespace than the one that was allowed.
        assertThat(send("GET", BOATS + "/../../../sea/boats/ark", TestEdge.JANE).status())
                .isEqualTo(400);
        assertThat(send("GET", "/apis/example.com/v1/namespaces/bay%2f..%2fsea/boats/ark", TestEdge.JANE)
                        .status())
                .isIn(400, 403);

        assertThat(backend.heads()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Remote-User: root",
                "x-remote-group: system:masters",
                "X-Remote-Extra-Scopes: all",
                "X-Remote-Uid: 0",
                "Connection: X-Remote-User, X-Remote-Group"
            })
    void claimOfTheCaller_isNeverCopied(String header) throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");

        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/dev" + BOATS, TestEdge.JANE, header)
                            .status())
                    .isEqualTo(200);
        }

        assertThat(backend.header("X-Remote-User")).containsExactly("jane");
        assertThat(backend.header("X-Remote-Group")).containsExactly("dev", "ops", "system:authenticated");
        assertThat(backend.header("X-Remote-Uid")).containsExactly("2");
        assertThat(backend.header("X-Remote-Extra-Scopes")).isEmpty();
    }

    @Test
    void impersonatedUser_isWhomTheBackendSees() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");

        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/dev" + BOATS, TestEdge.ADMIN, "Impersonate-User: mara")
                            .status())
                    .isEqualTo(200);
        }

        assertThat(backend.header("X-Remote-User")).containsExactly("mara");
        assertThat(backend.header("X-Remote-Group")).containsExactly("system:authenticated");
        assertThat(backend.header("Impersonate-User")).isEmpty();
    }

    @Test
    void withoutAnAvailableBackend_is503() throws Exception {
        RawAnswer answer = send("GET", BOATS, TestEdge.JANE);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("BackendNotAvailable", "v1.example.com");
    }

    @Test
    void backendThatIsGone_is503_andNamesNoAddress() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");
        int port = backend.url().getPort();
        backend.close();

        RawAnswer answer = send("GET", BOATS, TestEdge.JANE);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("BackendNotAvailable").doesNotContain("" + port);
    }

    @Test
    void refusalOfTheBackend_isTheAnswer() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");
        backend.answer((_, _, out) -> RawUpstream.respond(out, 401, "{}"));

        assertThat(send("GET", BOATS, TestEdge.JANE).status()).isEqualTo(401);
    }

    /** By such a path the right is asked for that the verb in it names, whatever the method does. */
    @ParameterizedTest
    @CsvSource({
        "POST, /apis/example.com/v1/watch/namespaces/bay/boats",
        "DELETE, /apis/example.com/v1/watch/namespaces/bay/boats/ark",
        "GET, /apis/example.com/v1/proxy/namespaces/bay/boats/ark",
    })
    void methodThatTheVerbOfThePathHasNot_is405(String method, String path) throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");

        assertThat(send(method, path, TestEdge.ADMIN).status()).isEqualTo(405);
        assertThat(backend.heads()).isEmpty();
    }

    @Test
    void pageOfTheBackend_isIsolatedFromTheGatewaysOrigin() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");
        backend.answer((_, _, out) ->
                out.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\n<p"
                        .getBytes(StandardCharsets.US_ASCII)));

        RawAnswer answer = send("GET", BOATS, TestEdge.JANE);

        assertThat(answer.header("content-security-policy")).isEqualTo("sandbox");
        assertThat(answer.header("set-cookie")).isEmpty();
    }

    @Test
    void redirectOfTheBackend_isNotForClients() throws Exception {
        RawUpstream backend = edge.aggregate("dev", "u");
        backend.answer((_, _, out) ->
                out.write("HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example.com/\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII)));

        RawAnswer answer = send("GET", BOATS, TestEdge.JANE);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("BackendRedirected").doesNotContain("elsewhere");
    }

    private RawAnswer send(String method, String path, String user) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(method, "/clusters/dev" + path, user, "Content-Length: 0");
        }
    }
}
