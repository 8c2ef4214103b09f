package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.RawUpstream.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An attached cluster's watch over a WebSocket. */
final class AttachedWatchSocketTest extends WatchSocketFixture {
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
