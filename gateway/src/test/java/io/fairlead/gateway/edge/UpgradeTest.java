package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.limits.EdgeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that become another protocol's, or are refused for good. */
class UpgradeTest {
    static final String EXEC = "/clusters/prod/api/v1/namespaces/a/pods/b/exec?command=sh";
    static final String SWITCH = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n";
    private static final int TIMEOUT_SECONDS = 20;

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
    @CsvSource({"SPDY/3.1", "websocket"})
    void switch_isPassedOnAndBytesGoBothWays(String protocol) throws Exception {
        prod.talk((_, connection, in) -> {
            write(
                    connection,
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + protocol
                            + "\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n"
                            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nhello");
            in.transferTo(connection.getOutputStream());
        });

        try (RawClient client = edge.client()) {
            RawAnswer answer = upgrade(
                    client,
                    EXEC,
                    protocol,
                    "X-Stream-Protocol-Version: v4.channel.k8s.io",
                    "X-Stream-Protocol-Version: v3.channel.k8s.io",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "Sec-WebSocket-Version: 13");

            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("upgrade")).isEqualTo(protocol);
            assertThat(answer.header("connection")).isEqualTo("Upgrade");
            assertThat(answer.header("x-stream-protocol-version")).isEqualTo("v4.channel.k8s.io");
            assertThat(answer.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(answer.header("audit-id")).isNotEmpty();
            assertThat(client.bytes(5)).isEqualTo("hello");
            client.send("\u0000\u0001\u00ffping");
            assertThat(client.bytes(7)).isEqualTo("\u0000\u0001\u00ffping");
        }
        assertThat(prod.heads().getFirst()).startsWith("POST /api/v1/namespaces/a/pods/b/exec?command=sh HTTP/1.1");
        assertThat(prod.header("Upgrade")).containsExactly(protocol);
        assertThat(prod.header("Connection")).containsExactly("Upgrade");
        assertThat(prod.header("X-Stream-Protocol-Version")).containsExactly("v4.channel.k8s.io", "v3.channel.k8s.io");
        assertThat(prod.header("Sec-WebSocket-Key")).containsExactly("dGhlIHNhbXBsZSBub25jZQ==");
    }

    @Test
    void identity_isComputedWhateverConnectionNominates() throws Exception {
        prod.talk((_, connection, _) -> write(connection, SWITCH));

        try (RawClient client = edge.client()) {
            upgrade(
                    client,
                    EXEC,
                    "SPDY/3.1",
                    "Connection: Impersonate-User, Authorization, X-Forwarded-For",
                    "X-Remote-User: root");
        }
        assertThat(prod.header("Impersonate-User")).containsExactly("jane");
        assertThat(prod.header("Authorization")).containsExactly("Bearer " + TestEdge.FAIRLEADS_TOKEN);
        assertThat(prod.received()).doesNotContain("jane-token").doesNotContain("X-Remote-User");
    }

    @Test
    void tokenAmongTheProtocolsOfAWebSocket_staysHere() throws Exception {
        prod.talk((_, connection, _) -> write(connection, SWITCH));

        try (RawClient client = edge.client()) {
            upgrade(
                    client,
                    EXEC,
                    "SPDY/3.1",
                    "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.Y2FuYXJ5, v5.channel.k8s.io",
                    "Sec-WebSocket-Protocol: v4.channel.k8s.io");
        }
        assertThat(prod.header("Sec-WebSocket-Protocol")).containsExactly("v5.channel.k8s.io, v4.channel.k8s.io");
        assertThat(prod.received()).doesNotContain("Y2FuYXJ5");
    }

    @Test
    void earlyBytes_areHeldUntilThe101_andThenComeFirst() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        prod.talk((_, connection, in) -> {
            mayAnswer.await();
            write(connection, SWITCH);
            in.transferTo(connection.getOutputStream());
        });
        String early = "e".repeat(1_000_000);

        try (RawClient client = edge.client()) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> sendQuietly(client, head(EXEC, "SPDY/3.1") + early + "late"), Thread::startVirtualThread);
            Await.until(() -> prod.heads().size() == 1);
            assertThat(prod.received()).endsWith("\r\n\r\n");
            mayAnswer.countDown();

            assertThat(client.head().status()).isEqualTo(101);
            assertThat(client.bytes(early.length() + 4)).isEqualTo(early + "late");
            sending.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void refusal_isPassedOn_andWhatTheClientSaysAfterwardsGoesNowhere() throws Exception {
        CompletableFuture<Integer> afterRefusal = new CompletableFuture<>();
        prod.talk((_, connection, in) -> {
            RawUpstream.respond(connection.getOutputStream(), 403, "{\"reason\":\"Forbidden\"}");
            afterRefusal.complete(in.read());
        });

        try (RawClient client = edge.client()) {
            client.send(head(EXEC, "SPDY/3.1") + "GET /clusters/prod/early HTTP/1.1\r\nHost: x\r\n\r\n");
            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).isEqualTo("{\"reason\":\"Forbidden\"}");
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(saysAndEnds(
                            client, "GET /clusters/prod/late HTTP/1.1\r\nHost: x\r\n" + TestEdge.JANE + "\r\n\r\n"))
                    .isTrue();
        }
        assertThat(afterRefusal.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(-1);
        assertThat(prod.received()).doesNotContain("early").doesNotContain("late");
        assertThat(prod.heads()).hasSize(1);
    }

    @Test
    void refusal_withALongBody_isStreamedWhole() throws Exception {
        String body = "b".repeat(3_000_000);
        prod.talk((_, connection, _) -> RawUpstream.respond(connection.getOutputStream(), 200, body));

        try (RawClient client = edge.client()) {
            client.send(head(EXEC, "SPDY/3.1"));

            assertThat(client.answer(false).body()).isEqualTo(body);
        }
    }

    @Test
    void connectionAfterARefusal_isNotUsedAgain() throws Exception {
        prod.answer((_, _, out) -> RawUpstream.respond(out, 400, "{}"));
        for (int i = 1; i <= 3; i++) {
            try (RawClient client = edge.client()) {
                client.send(head(EXEC, "SPDY/3.1"));
                assertThat(client.answer(false).status()).isEqualTo(400);
            }
            assertThat(prod.connectionCount()).isEqualTo(i);
        }
    }

    @Test
    void redirect_is502AndNotFollowed() throws Exception {
        RawUpstream elsewhere = edge.attach("elsewhere");
        prod.answer((_, _, out) -> RawUpstream.write(
                out, "HTTP/1.1 302 Found\r\nLocation: " + elsewhere.url() + "/x\r\nContent-Length: 0\r\n\r\n"));

        try (RawClient client = edge.client()) {
            client.send(head(EXEC, "SPDY/3.1"));
            RawAnswer answer = client.answer(false);

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.header("location")).isEmpty();
            assertThat(answer.body()).contains("UpgradeRedirected").contains("redirect 302");
        }
        assertThat(elsewhere.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
                "HTTP/1.1 101 X\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void switchThatNobodyAskedFor_is502(String answer) throws Exception {
        prod.talk((_, connection, _) -> write(connection, answer));

        try (RawClient client = edge.client()) {
            client.send(head(EXEC, "SPDY/3.1"));

            assertThat(client.answer(false).status()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.example, 403",
        "http://localhost, 403",
        "null, 403",
        "https://localhost, 101",
        "https://LOCALHOST:443, 101"
    })
    void origin_mustBeTheHostItself(String origin, int status) throws Exception {
        prod.talk((_, connection, _) -> write(connection, SWITCH));

        try (RawClient client = edge.client()) {
            assertThat(upgrade(client, EXEC, "SPDY/3.1", "Origin: " + origin).status())
                    .isEqualTo(status);
        }
        assertThat(prod.received().isEmpty()).isEqualTo(status == 403);
    }

    @Test
    void upgradesBeyondTheLimit_are429_untilOneEnds() throws Exception {
        EdgeLimits limits = Limited.shares(new EdgeLimits.Shares(10, 10, 10, 10, 2));
        try (TestEdge small = new TestEdge(limits)) {
            small.attach("prod").talk((_, connection, in) -> {
                write(connection, SWITCH);
                in.transferTo(connection.getOutputStream());
                connection.close();
            });
            try (RawClient one = small.client();
                    RawClient two = small.client()) {
                assertThat(upgrade(one, EXEC, "SPDY/3.1").status()).isEqualTo(101);
                assertThat(upgrade(two, EXEC, "SPDY/3.1").status()).isEqualTo(101);
                RawAnswer refused = attempt(small);
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.header("retry-after")).isEqualTo("1");
                two.end();
                assertThat(two.rest()).isEmpty();
            }
            Await.until(() -> attempt(small).status() == 101);
        }
    }

    @Test
    void clusterThatIsClosed_endsItsUpgrades() throws Exception {
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            in.transferTo(connection.getOutputStream());
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            edge.closeUpstreams();

            assertThat(ends(client)).isTrue();
        }
    }

    @Test
    void drain_endsUpgradesLast_andCleanly() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            heard.complete(new String(in.readAllBytes(), ISO_8859_1));
        });

        try (RawClient client = edge.client();
                RawClient idle = edge.client()) {
            idle.get("/clusters/prod/api");
            upgrade(client, EXEC, "SPDY/3.1");
            Thread draining = Thread.startVirtualThread(() -> {
                try {
                    edge.server.drain(Duration.ZERO, Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(idle.isClosed()).isTrue();
            client.send("in the drain");
            Await.until(() -> prod.received().endsWith("in the drain"));

            assertThat(client.rest()).isEmpty();
            assertThat(client.wasEndSaid()).isTrue();
            assertThat(heard.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("in the drain");
            draining.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"exec, GET", "attach, GET", "portforward, GET", "exec, POST"})
    void streamOfAPod_inAHostedCluster_isRefusedClearly(String subresource, String method) throws Exception {
        edge.host("dev");
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.exchange(
                    method,
                    "/clusters/dev/api/v1/namespaces/a/pods/b/" + subresource,
                    TestEdge.ADMIN,
                    "Connection: Upgrade",
                    "Upgrade: websocket");

            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(answer.body())
                    .contains("cluster \\\"dev\\\": it is hosted")
                    .contains("pods/" + subresource);
        }
    }

    @Test
    void execByGet_needsTheRightToCreateAsWell() throws Exception {
        edge.host("dev").allow((_, request) -> !request.verb().equals("create"));
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(
                    "/clusters/dev/api/v1/namespaces/a/pods/b/exec",
                    TestEdge.ADMIN,
                    "Connection: Upgrade",
                    "Upgrade: websocket");

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("cannot create resource \\\"pods/exec\\\"");
        }
    }

    @Test
    void openUpgrades_areCountedAsLongRunning() throws Exception {
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            in.transferTo(connection.getOutputStream());
            connection.close();
        });
        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            assertThat(edge.metrics.scrape()).containsPattern(longRunning("1.0"));
        }
        Await.until(() -> edge.metrics.scrape().lines().anyMatch(line -> line.matches(".*" + longRunning("0.0"))));
        Await.until(() -> edge.metrics
                .scrape()
                .lines()
                .anyMatch(line -> line.matches("apiserver_request_total\\{.*code=\"101\".*\\} 1.0")));
    }

    private static String longRunning(String count) {
        return "apiserver_longrunning_requests\\{.*subresource=\"exec\".*\\} " + count;
    }

    private static String head(String target, String protocol, String... lines) {
        return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                + "\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\nContent-Length: 0\r\n"
                + String.join("", Stream.of(lines).map(line -> line + "\r\n").toList()) + "\r\n";
    }

    static RawAnswer upgrade(RawClient client, String target, String protocol, String... lines) throws IOException {
        client.send(head(target, protocol, lines));
        return client.head();
    }

    private static RawAnswer attempt(TestEdge edge) {
        try (RawClient client = edge.client()) {
            return upgrade(client, EXEC, "SPDY/3.1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Socket connection, String text) throws IOException {
        RawUpstream.write(connection.getOutputStream(), text);
    }

    private static void sendQuietly(RawClient client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing more comes, with a clean end or without. */
    private static boolean ends(RawClient client) {
        return saysAndEnds(client, "");
    }

    /** Whether the connection is closed, before or after the client has said something more. */
    private static boolean saysAndEnds(RawClient client, String late) {
        try {
            client.send(late);
            return client.isClosed();
        } catch (IOException e) {
            return true;
        }
    }
}
