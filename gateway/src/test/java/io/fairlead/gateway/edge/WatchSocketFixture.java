package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.RawUpstream.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway whose watches a test reads over WebSockets. */
abstract class WatchSocketFixture {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    static final String VERSION = "Sec-WebSocket-Version: 13";
    static final String DELETED = "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"web\"}}}\n";
    static final String PODS = "/api/v1/pods?watch=1";

    final Frames frames = new Frames();
    TestEdge edge;
    FakeHosted dev;
    HttpClient client;

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

    /** By a client of our own: the JDK's may lose the message before an end without a Close, and says InternalError. */
    void assertOneMessageAndACut() throws Exception {
        try (RawClient raw = edge.client()) {
            assertThat(upgrade(raw, KEY, VERSION).status()).isEqualTo(101);
            assertThat(message(raw)).isEqualTo(DELETED);
            assertThat(raw.rest()).isEmpty();
            assertThat(raw.wasEndSaid()).isFalse();
        }
    }

    /** One of a client, with a mask of zeros. */
    static String ping(String payload) {
        return "\u0089" + (char) (0x80 | payload.length()) + "\0\0\0\0" + payload;
    }

    /** The payload of a short frame. */
    static String message(RawClient raw) throws IOException {
        return raw.bytes(raw.bytes(2).charAt(1));
    }

    static RawAnswer upgrade(RawClient raw, String... lines) throws IOException {
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

    InboundHandler open(String cluster) {
        InboundHandler ears = new InboundHandler();
        opening(cluster, ears).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        return ears;
    }

    CompletableFuture<WebSocket> opening(String cluster, InboundHandler ears) {
        URI uri = URI.create("wss://localhost:" + edge.address.getPort() + "/clusters/" + cluster + PODS);
        return client.newWebSocketBuilder()
                .header("Authorization", TestEdge.JANE.substring("Authorization: ".length()))
                .buildAsync(uri, ears);
    }

    static void head(OutputStream out, String line) throws IOException {
        write(
                out,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n" + line
                        + "\r\n\r\n");
    }

    static void chunk(OutputStream out, String data) throws IOException {
        write(out, Integer.toHexString(data.length()) + "\r\n" + data + "\r\n");
    }

    /** Events that a test gives, one after the other. */
    static final class Frames implements ApiResponse.Frames {
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
    static final class InboundHandler implements WebSocket.Listener {
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
