package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.listen.TlsMaterial;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.pkitesting.X509Bundle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users whom a front proxy of the gateway names, and clients that only claim to be one. */
class FrontProxyCallerTest {
    private static final String PODS = "/clusters/prod/api/v1/pods";
    private static final String ANN = "X-Remote-User: ann";

    private final TestPki proxies = new TestPki();
    private final X509Bundle proxy = proxies.client("CN=sso,O=system:masters");
    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void start() throws Exception {
        start(Map.of("requestheader.allowedNames", "sso"));
    }

    private void start(Map<String, ?> given) throws Exception {
        edge = new TestEdge(Limited.by(given));
        prod = edge.attach("prod");
        trust(proxies.caPem());
    }

    private void trust(@Nullable String frontProxyCa) throws Exception {
        X509Bundle serving = edge.pki.server();
        edge.server.reload(new TlsMaterial(
                serving.getCertificatePathPEM(), serving.getPrivateKeyPEM(), edge.pki.caPem(), frontProxyCa));
    }

    /** As whom the requests were sent, in order. */
    private List<String> users() {
        return prod.heads().stream()
                .flatMap(String::lines)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("impersonate-user: "))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void userOfAFrontProxy_isTheCaller_withGroupsAndAttributes_butNothingOfKubernetesOwn() throws Exception {
        try (RawClient client = edge.client(proxy)) {
            RawAnswer answer = client.get(
                    PODS,
                    "x-remote-user: ann",
                    "X-Remote-Uid: 7",
                    "X-Remote-Group: devs",
                    "X-Remote-Group: system:masters",
                    "X-Remote-Group: ops",
                    "X-Remote-Extra-Example.com%2fteam: blue");
            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(users()).containsExactly("ann");
        assertThat(prod.header("Impersonate-Uid")).containsExactly("7");
        assertThat(prod.header("Impersonate-Group")).containsExactly("devs", "ops", "system:authenticated");
        assertThat(prod.header("Impersonate-Extra-example.com%2Fteam")).containsExactly("blue");
        assertThat(prod.heads()).allSatisfy(head -> assertThat(head).doesNotContainIgnoringCase("x-remote"));
    }

    /** One connection for many users, over HTTP/1.1 and HTTP/2. */
    @Test
    void usersOfOneConnection_areEachTheirOwn() throws Exception {
        try (RawClient client = edge.client(proxy)) {
            for (String user : List.of("ann", "bob", "ann")) {
                assertThat(client.get(PODS, "X-Remote-User: " + user).status()).isEqualTo(200);
            }
        }
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address, proxy, "localhost")) {
            for (String user : List.of("eve", "ann")) {
                Http2Headers head = RawHttp2Client.head("GET", PODS).add("x-remote-user", user);
                assertThat(client.open(head, true).next()).isEqualTo("head 200");
            }
        }
        assertThat(users()).containsExactly("ann", "bob", "ann", "eve", "ann");
    }

    @Test
    void systemUser_ofAFrontProxy_is401() throws Exception {
        try (RawClient client = edge.client(proxy)) {
            assertThat(client.get(PODS, "X-Remote-User: system:admin", TestEdge.JANE)
                            .status())
                    .as("whatever else it has")
                    .isEqualTo(401);
        }
        assertThat(prod.received()).isEmpty();
    }

    /** A claim that does not count leaves the caller's own credential: it is not the claimed user's. */
    @ParameterizedTest
    @CsvSource({"other CA", "client CA", "other name", "no certificate"})
    void headersOfAnyOtherClient_areRemoved_andNameNoUser(String client) throws Exception {
        X509Bundle certificate = switch (client) {
            case "other CA" -> new TestPki().client("CN=sso");
            case "client CA" -> edge.pki.client("CN=sso");
            case "other name" -> proxies.client("CN=other");
            default -> null;
        };
        try (RawClient claims = certificate == null ? edge.client() : edge.client(certificate)) {
            boolean isClient = client.equals("client CA");
            assertThat(claims.get(PODS, ANN, "X-Remote-Group: ops").status()).isEqualTo(isClient ? 200 : 401);
            assertThat(claims.get(PODS, ANN, TestEdge.JANE).status()).isEqualTo(200);
            assertThat(users()).isEqualTo(isClient ? List.of("sso", "sso") : List.of("jane"));
        }
        assertThat(prod.heads()).allSatisfy(head -> assertThat(head).doesNotContainIgnoringCase("x-remote"));
    }

    /** A front proxy passes on a token of one who is not its user. */
    @Test
    void frontProxyThatNamesNoUser_hasOnlyTheTokenOfTheRequest() throws Exception {
        try (RawClient client = edge.client(proxy)) {
            assertThat(client.get(PODS, "X-Remote-Group: devs").status()).isEqualTo(401);
            assertThat(client.get(PODS, "X-Remote-User: ", "X-Remote-Group: x", TestEdge.JANE)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(users()).containsExactly("jane");
        assertThat(prod.header("Impersonate-Group")).doesNotContain("x");
    }

    @Test
    void configuredHeaders_count_andNoOthers() throws Exception {
        edge.close();
        start(Map.of("requestheader.usernameHeaders", "X-Sso-User,X-Sso-Mail", "requestheader.groupHeaders", "X-Sso"));
        try (RawClient client = edge.client(proxy)) {
            assertThat(client.get(PODS, ANN).status()).isEqualTo(401);
            assertThat(client.get(PODS, "X-Sso-Mail: ann@example.com", "X-Sso: devs", "X-Remote-Group: ops")
                            .status())
                    .isEqualTo(200);
        }
        try (RawClient client = edge.client()) {
            client.get(PODS, TestEdge.JANE, "X-Sso-User: root", "X-Sso: ops");
        }
        assertThat(users()).containsExactly("ann@example.com", "jane");
        assertThat(prod.heads()).allSatisfy(head -> assertThat(head).doesNotContainIgnoringCase("x-sso"));
    }

    @Test
    void frontProxiesOfAReplacedCa_areNoneAnyMore_onOpenConnectionsToo() throws Exception {
        TestPki next = new TestPki();
        try (RawClient before = edge.client(proxy)) {
            assertThat(before.get(PODS, ANN).status()).isEqualTo(200);
            trust(next.caPem());
            assertThat(before.get(PODS, ANN).status()).isEqualTo(401);
        }
        try (RawClient after = edge.client(next.client("CN=sso"))) {
            assertThat(after.get(PODS, ANN).status()).isEqualTo(200);
        }
        trust(null);
        try (RawClient without = edge.client(next.client("CN=sso"))) {
            assertThat(without.get(PODS, ANN).status()).isEqualTo(401);
        }
    }
}
