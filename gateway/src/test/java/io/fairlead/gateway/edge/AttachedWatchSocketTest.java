package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.RawUpstream.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An attached cluster's watch over a WebSocket. */
final class AttachedWatchSocketTest extends WatchSocketFixture {
    /** More than a channel takes before it is full. */
    private static final int PIECE_BYTES = 100_003;

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

    /** A flush of a WebSocket tells that it is writable again before it returns, and what waits is handed over within that. */
    @Test
    void largeWatch_ofWhichMuchWaits_comesInOrder() throws Exception {
        FakeUpstream prod = new FakeUpstream();
        edge.register(new ClusterEntry.Attached(
                new ClusterName("prod"),
                new ClusterEntry.Backend(
                        prod,
                        List.of(URI.create("https://upstream.test")),
                        new UpstreamIdentity.Impersonate(false, Set.of())),
                null,
                _ -> {},
                HistoryModes.UNSET));
        List<String> events = IntStream.range(1, 2_000)
                .mapToObj(i -> "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"n" + i
                        + "\",\"resourceVersion\":\"" + i + "\"},\"data\":\"" + "x".repeat(1_000) + "\"}}\n")
                .toList();
        String stream = String.join("", events);
        List<String> pieces = IntStream.range(0, stream.length() / PIECE_BYTES + 1)
                .mapToObj(i -> stream.substring(i * PIECE_BYTES, Math.min((i + 1) * PIECE_BYTES, stream.length())))
                .toList();
        InboundHandler ears = new InboundHandler();
        CompletableFuture<WebSocket> opening = opening("prod", ears);
        FakeUpstream.Call call = prod.next();
        call.answer(200, "content-type: application/json");
        opening.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();

        call.waiting(pieces);

        for (String event : events) {
            assertThat(ears.next()).isEqualTo(event);
        }
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
}
