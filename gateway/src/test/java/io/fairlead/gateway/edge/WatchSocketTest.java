package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hosted cluster's watch over a WebSocket, and the socket itself. */
final class WatchSocketTest extends WatchSocketFixture {
    @Test
    void hostedWatch_sendsEachEventAsOneMessage_andEndsWithAClose() {
        String large = "{\"type\":\"MODIFIED\",\"x\":\"" + "é".repeat(70_000) + "\"}\n";
        InboundHandler ears = open("dev");

        frames.next.add("{\"type\":\"ADDED\"}\n");
        frames.next.add(large);
        frames.next.add(Frames.END);

        assertThat(ears.next()).isEqualTo("{\"type\":\"ADDED\"}\n");
        assertThat(ears.next()).isEqualTo(large);
        assertThat(ears.next()).isEqualTo("closed 1000");
        assertThat(edge.metrics.scrape()).contains("apiserver_watch_events_total");
    }

    @Test
    void clientsClose_endsTheWatch() throws Exception {
        InboundHandler ears = open("dev");
        frames.next.add("{}\n");
        assertThat(ears.next()).isEqualTo("{}\n");

        ears.socket().sendClose(WebSocket.NORMAL_CLOSURE, "");

        assertThat(ears.next()).isEqualTo("closed 1000");
        assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void clientThatVanishes_endsTheWatch() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);
            raw.vanish(true);
        }

        assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void ping_isAnswered_andMessagesAreIgnored() {
        InboundHandler ears = open("dev");

        ears.socket().sendText("hello", true).join();
        ears.socket().sendPing(ByteBuffer.wrap("still there?".getBytes(UTF_8))).join();

        assertThat(ears.next()).isEqualTo("pong still there?");
    }

    /** RFC 6455 section 5.5.3: of Pings that came together, the last one is answered. */
    @Test
    void manyPings_areNotAnsweredOneByOne() throws Exception {
        int pings = 10_000;
        String payload = "x".repeat(100);
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);

            String record = ping(payload).repeat(100);
            for (int sent = 0; sent < pings; sent += 100) {
                raw.send(record);
            }
            raw.send(ping("last"));
            frames.next.add("{}\n");

            List<String> heard = new ArrayList<>();
            while (!heard.contains("last") || !heard.contains("{}\n")) {
                heard.add(message(raw));
            }
            assertThat(heard).hasSizeLessThan(pings / 10);
        }
    }

    @Test
    void clientThatReadsNothing_isGivenUp() throws Exception {
        frames.next.addAll(Collections.nCopies(512, "x".repeat(1 << 16) + "\n"));
        assertEndedFor("limits.stalledReaderTimeout", "300ms");
    }

    @Test
    void eventWithoutEnd_countsAsWhatWaits() throws Exception {
        frames.next.addAll(Collections.nCopies(16, "x".repeat(1 << 16)));
        assertEndedFor("limits.unreadBytesMax", "256Ki");
    }

    private void assertEndedFor(String limit, String value) throws Exception {
        try (TestEdge narrow = new TestEdge(Limited.by(Map.of(limit, value)));
                RawClient raw = narrow.client()) {
            narrow.host("dev").answer(_ -> new ApiResponse.Stream(200, "application/json", Map.of(), frames));
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);

            assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(narrow.reached(limit)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v1.events | v1.events",
                "base64url.bearer.authorization.k8s.io.Y2FuYXJ5, v1.events | v1.events",
                "base64url.bearer.authorization.k8s.io.Y2FuYXJ5 | ''",
                "v1.events, v2.events | ''"
            })
    void onlyProtocolThatIsOffered_isAgreedOn(String offered, String agreed) throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION, "Sec-WebSocket-Protocol: " + offered)
                            .header("sec-websocket-protocol"))
                    .isEqualTo(agreed);
        }
    }

    @Test
    void headOfAWatch_isNoWebSocket() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(raw.exchange(
                                    "HEAD",
                                    "/clusters/dev" + PODS,
                                    TestEdge.JANE,
                                    "Connection: Upgrade",
                                    "Upgrade: websocket",
                                    KEY,
                                    VERSION)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void handshake_isThatOfRfc6455() throws Exception {
        try (RawClient raw = edge.client()) {
            RawAnswer answer = upgrade(raw, KEY, VERSION, "Origin: https://localhost");

            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("upgrade")).isEqualTo("websocket");
            assertThat(answer.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(answer.header("content-type")).isEmpty();
            frames.next.add("{}\n");
            assertThat(raw.bytes(5)).isEqualTo("\u0081\u0003{}\n");
            frames.next.add(Frames.END);
            assertThat(raw.bytes(4)).isEqualTo("\u0088\u0002\u0003\u00e8");
        }
    }

    /** RFC 6455 section 5.1. */
    @Test
    void frameWithoutMask_endsTheConnection() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);

            raw.send("\u0081\u0002hi");

            assertThat(raw.isClosed()).isTrue();
        }
        assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-WebSocket-Version: 8", "Sec-WebSocket-Version: 13"})
    void handshakeThatLacksSomething_is400NamingIt(String version) throws Exception {
        try (RawClient raw = edge.client()) {
            RawAnswer answer = upgrade(raw, version, "Sec-WebSocket-Key: short");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("\"kind\":\"Status\"", "Sec-WebSocket-", "expected");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void pageOfAnotherHost_is403() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION, "Origin: https://evil.example")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void callerWithoutTheRight_is403() throws Exception {
        dev.allow((_, _) -> false);
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(403);
        }
    }

    @Test
    void refusal_isAnOrdinaryAnswer() {
        dev.answer(_ -> FakeHosted.json(410, "{\"kind\":\"Status\",\"code\":410}"));
        CompletableFuture<WebSocket> opening = opening("dev", new InboundHandler());

        assertThat(opening.handle((_, problem) -> problem)
                        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join())
                .isInstanceOfSatisfying(
                        CompletionException.class,
                        problem -> assertThat(problem.getCause())
                                .isInstanceOfSatisfying(
                                        WebSocketHandshakeException.class,
                                        refused -> assertThat(
                                                        refused.getResponse().statusCode())
                                                .isEqualTo(410)));
    }
}
