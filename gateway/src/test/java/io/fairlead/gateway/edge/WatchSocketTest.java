package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.RawUpstream.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.hosted.ApiResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches by WebSocket, of clients that know nothing else, and of those that try it first. */
class WatchSocketTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    private static final String VERSION = "Sec-WebSocket-Version: 13";
    private static final String DELETED = "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"web\"}}}\n";
    private static final String PODS = "/api/v1/pods?watch=1";

    private final Frames frames = new Frames();
    private TestEdge edge;
    private FakeHosted dev;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        dev = edge.host("dev");
        dev.answer(_ -> new ApiResponse.Stream(200, "application/json", Map.of(), frames));
        client = HttpClient.newBuilder().sslContext(edge.tls(null)).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.shutdownNow();
        edge.close();
    }

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
        try (TestEdge impatient =
                        new TestEdge(Limited.answers(new EdgeLimits.Answers(64 * 1024, Duration.ofMillis(300))));
                RawClient raw = impatient.client()) {
            impatient.host("dev").answer(_ -> new ApiResponse.Stream(200, "application/json", Map.of(), frames));
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);

            assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(impatient.metrics.scrape())
                    .contains("fairlead_limit_reached_total{limit=\"limits.stalledReaderTimeout\"} 1.0");
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
    void eventsThatAreNoJson_are406_andNobodyGoesOnSendingThem() throws Exception {
        dev.answer(_ -> new ApiResponse.Stream(200, "application/vnd.kubernetes.protobuf", Map.of(), frames));
        try (RawClient raw = edge.client()) {
            RawAnswer answer = upgrade(raw, KEY, VERSION);

            assertThat(answer.status()).isEqualTo(406);
            assertThat(answer.body())
                    .contains("NotAcceptable", "application/vnd.kubernetes.protobuf", "expected application/json");
        }
        assertThat(frames.closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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

    /** The cluster is asked for a plain watch, whose events come in whatever pieces. */
    @Test
    void attachedWatch_isTranslated() throws Exception {
        RawUpstream prod = edge.attach("prod");
        CountDownLatch mayEnd = new CountDownLatch(1);
        prod.answer((_, _, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk(out, "{\"type\":\"AD");
            chunk(out, "DED\"}\n{\"type\":\"BOOKMARK\"}\n{");
            mayEnd.await();
            chunk(out, "}\n");
            write(out, "0\r\n\r\n");
        });
        InboundHandler ears = open("prod");

        assertThat(ears.next()).isEqualTo("{\"type\":\"ADDED\"}\n");
        assertThat(ears.next()).isEqualTo("{\"type\":\"BOOKMARK\"}\n");
        mayEnd.countDown();
        assertThat(ears.next()).isEqualTo("{}\n");
        assertThat(ears.next()).isEqualTo("closed 1000");
        assertThat(prod.heads().getFirst()).contains("/api/v1/pods?watch=1").doesNotContainIgnoringCase("websocket");
    }

    @Test
    void attachedWatch_isAskedForWithoutCompression_andSaysNothingOfWebSockets() throws Exception {
        RawUpstream prod = edge.attach("dev");
        prod.answer((_, _, out) -> head(out, "Sec-WebSocket-Extensions: permessage-deflate"));
        try (RawClient raw = edge.client()) {
            RawAnswer answer = upgrade(raw, KEY, VERSION, "Accept-Encoding: gzip");

            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("sec-websocket-extensions")).isEmpty();
        }
        assertThat(prod.header("Accept-Encoding")).isEmpty();
    }

    @Test
    void compressedWatch_is406() throws Exception {
        edge.attach("dev").answer((_, _, out) -> head(out, "Content-Encoding: gzip"));
        try (RawClient raw = edge.client()) {
            RawAnswer answer = upgrade(raw, KEY, VERSION);

            assertThat(answer.status()).isEqualTo(406);
            assertThat(answer.body()).contains("gzip");
        }
    }

    @Test
    void attachedWatchThatEndsWithinAnEvent_isNoCleanEnd() throws Exception {
        edge.attach("dev").answer((_, _, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk(out, DELETED + "{\"type\"");
            write(out, "0\r\n\r\n");
        });

        assertOneMessageAndACut();
    }

    @Test
    void attachedWatchThatIsCut_isNoCleanEnd() throws Exception {
        edge.attach("dev").answer((_, _, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk(out, DELETED);
            throw new IOException("the test cuts the connection");
        });

        assertOneMessageAndACut();
    }

    /** By a client of our own: the JDK's may lose the message before an end without a Close, and says InternalError. */
    private void assertOneMessageAndACut() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);
            assertThat(message(raw)).isEqualTo(DELETED);
            assertThat(raw.rest()).isEmpty();
            assertThat(raw.wasEndSaid()).isFalse();
        }
    }

    /** One of a client, with a mask of zeros. */
    private static String ping(String payload) {
        return "\u0089" + (char) (0x80 | payload.length()) + "\0\0\0\0" + payload;
    }

    /** The payload of a short frame. */
    private static String message(RawClient raw) throws IOException {
        return raw.bytes(raw.bytes(2).charAt(1));
    }

    private static RawAnswer upgrade(RawClient raw, String... lines) throws IOException {
        StringBuilder head = new StringBuilder("GET /clusters/dev" + PODS + " HTTP/1.1\r\nHost: localhost\r\n"
                + TestEdge.JANE + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        raw.send(head.append("\r\n").toString());
        RawAnswer answer = raw.head();
        return answer.status() == 101
                ? answer
                : answer.withBody(raw.bytes(Integer.parseInt(answer.header("content-length"))), true);
    }

    private InboundHandler open(String cluster) {
        InboundHandler ears = new InboundHandler();
        opening(cluster, ears).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        return ears;
    }

    private CompletableFuture<WebSocket> opening(String cluster, InboundHandler ears) {
        URI uri = URI.create("wss://localhost:" + edge.address.getPort() + "/clusters/" + cluster + PODS);
        return client.newWebSocketBuilder()
                .header("Authorization", TestEdge.JANE.substring("Authorization: ".length()))
                .buildAsync(uri, ears);
    }

    private static void head(OutputStream out, String line) throws IOException {
        write(
                out,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n" + line
                        + "\r\n\r\n");
    }

    private static void chunk(OutputStream out, String data) throws IOException {
        write(out, Integer.toHexString(data.length()) + "\r\n" + data + "\r\n");
    }

    /** Events that a test gives, one after the other. */
    private static final class Frames implements ApiResponse.Frames {
        static final String END = "end";

        final BlockingQueue<String> next = new LinkedBlockingQueue<>();
        final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public byte @Nullable [] next() throws InterruptedException {
            String frame = next.take();
            return frame.equals(END) ? null : frame.getBytes(UTF_8);
        }

        @Override
        public void close() {
            closed.countDown();
            next.add(END);
        }
    }

    /** What a client of the JDK hears. */
    private static final class InboundHandler implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        private final StringBuilder message = new StringBuilder();

        WebSocket socket() {
            return opened.join();
        }

        String next() {
            try {
                String one = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                return one == null ? "nothing" : one;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onOpen(WebSocket socket) {
            opened.complete(socket);
            socket.request(Long.MAX_VALUE);
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                heard.add(message.toString());
                message.setLength(0);
            }
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
            heard.add("pong " + UTF_8.decode(payload));
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            heard.add("closed " + code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable problem) {
            heard.add("failed " + problem);
        }
    }
}
