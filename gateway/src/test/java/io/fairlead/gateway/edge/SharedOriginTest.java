package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One cluster cannot speak for the origin that it shares with all others, nor hear what was said to another. */
class SharedOriginTest {
    private static final String PODS = "/clusters/prod/api/v1/pods";
    private static final String EXEC = "/clusters/prod/api/v1/namespaces/default/pods/p/exec";
    private static final String PAGE = "/clusters/prod/api/v1/namespaces/default/services/web/proxy/";

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie: session=1",
                "SET-COOKIE: session=1; Path=/",
                "Set-Cookie2: session=1",
                "Strict-Transport-Security: max-age=31536000; includeSubDomains",
                "Alt-Svc: h2=\"evil.example:443\"",
                "Clear-Site-Data: \"*\"",
                "Refresh: 0; url=https://evil.example",
                "Access-Control-Allow-Origin: *",
                "access-control-allow-credentials: true",
                "Access-Control-Of-Tomorrow: *",
                "Service-Worker-Allowed: /",
                "NEL: {}",
                "Report-To: {}",
                "Proxy-Authenticate: Basic realm=\"fleet\"",
                "X-Fairlead-Cluster: other",
                "x-fairlead-anything: other",
                "Fairlead-History-Epoch: 99",
                "fairlead-type-digest: sha256:0",
            })
    void answer_speaksNotForTheOrigin(String header) throws Exception {
        prod.answer((_, _, out) -> out.write(
                ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + header + "\r\nX-Kept: 1\r\n" + header + "\r\n\r\n{}")
                        .getBytes(ISO_8859_1)));
        String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT) + ":";

        try (RawClient client = edge.client()) {
            for (String path : new String[] {PODS, PAGE}) {
                RawAnswer answer = client.get(path, TestEdge.JANE);

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.header("X-Kept")).isEqualTo("1");
                assertThat(answer.fields())
                        .noneMatch(field -> field.toLowerCase(Locale.ROOT).startsWith(name));
            }
        }
    }

    @Test
    void upgrade_thatIsAccepted_setsNoCookie() throws Exception {
        prod.answer((_, _, out) -> out.write("""
            HTTP/1.1 101 Switching Protocols
            Connection: Upgrade
            Upgrade: SPDY/3.1
            X-Kept: 1
            Set-Cookie: session=1
            X-Fairlead-Cluster: other
            Audit-Id: of-the-cluster
            Audit-Id: once-more

            """.replace("\n", "\r\n").getBytes(ISO_8859_1)));

        try (RawClient client = edge.client()) {
            client.send("POST /clusters/prod/api/v1/namespaces/default/pods/p/exec HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE
                    + "\r\nAudit-Id: mine\r\nContent-Length: 0\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
            RawAnswer answer = client.head();

            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("X-Kept")).isEqualTo("1");
            assertThat(answer.fields())
                    .noneMatch(field -> field.toLowerCase(Locale.ROOT).startsWith("set-cookie"))
                    .noneMatch(field -> field.toLowerCase(Locale.ROOT).startsWith("x-fairlead"));
            assertThat(auditIds(answer)).containsExactly("audit-id: mine");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PODS, PODS + "?watch=true", PAGE, EXEC})
    void auditId_isThatOfTheRequest_whateverTheClusterSays(String path) throws Exception {
        for (String said :
                List.of("", "Audit-Id: mine\r\n", "audit-id: other\r\n", "Audit-ID: other\r\nAudit-Id: mine\r\n")) {
            prod.answer((_, _, out) ->
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + said + "\r\n{}").getBytes(ISO_8859_1)));
            try (RawClient client = edge.client()) {
                String upgrade = path.equals(EXEC) ? "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n" : "";
                client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                        + "\r\nAudit-Id: mine\r\n" + upgrade + "\r\n");

                assertThat(auditIds(client.head())).as(said).containsExactly("audit-id: mine");
            }
        }
    }

    @Test
    void auditId_overHttp2_isThatOfTheRequest() throws Exception {
        prod.answer((_, _, out) ->
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nAudit-Id: other\r\nX-Fairlead-A: b\r\n\r\n{}"
                        .getBytes(ISO_8859_1)));

        try (HttpClient client = edge.http2()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(edge.uri(PODS))
                            .header("Authorization", "Bearer jane-token")
                            .header("Audit-Id", "mine")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.headers().allValues("audit-id")).containsExactly("mine");
            assertThat(answer.headers().map()).doesNotContainKey("x-fairlead-a");
        }
    }

    private static List<String> auditIds(RawAnswer answer) {
        return answer.fields().stream()
                .map(field -> field.toLowerCase(Locale.ROOT))
                .filter(field -> field.startsWith("audit-id"))
                .toList();
    }

    @Test
    void cookie_ofTheOrigin_goesToNoCluster() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(PAGE, TestEdge.JANE, "Cookie: session=of-another-cluster", "X-Kept: 1")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(prod.header("Cookie")).isEmpty();
        assertThat(prod.header("X-Kept")).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Impersonate_User",
                "impersonate_group",
                "Impersonate_Extra_scopes",
                "X_Remote_User",
                "X-Remote_Group",
                "x_remote-extra-a"
            })
    void headerThatSomeServersTakeForAnIdentity_isBadRequestNamingIt(String name) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(PODS, TestEdge.JANE, name + ": root");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("\"kind\":\"Status\"").containsIgnoringCase("\\\"" + name + "\\\"");
        }
        assertThat(prod.received()).isEmpty();
    }

    @Test
    void underscoreOfAnotherHeader_isForwarded() throws Exception {
        try (RawClient client = edge.client()) {
            client.get(PODS, TestEdge.JANE, "X_Trace_Id: 1");
        }
        assertThat(prod.header("X_Trace_Id")).containsExactly("1");
    }
}
