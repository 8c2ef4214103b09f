package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection is switched to another protocol, and how a switch is refused. */
final class UpgradeTest extends UpgradeFixture {
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
}
