package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.CallerName;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a hosted cluster's answers and their bodies go out. */
final class HostedAnswerTest extends HostedAnswerFixture {
    @Test
    void watch_isSentFrameByFrame() throws Exception {
        Gated frames = new Gated();
        dev.answer(_ -> frames.response());

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            for (int i = 0; i < 40; i++) {
                frames.next.add("{\"n\":" + i + "}\n");
                assertThat(client.chunk()).isEqualTo("{\"n\":" + i + "}\n");
            }
            frames.next.add(END);
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void framesThatAreThereAlready_areSentTogether_upToARecordOfTls() throws Exception {
        Gated frames = new Gated();
        dev.answer(_ -> frames.response());
        String large = "x".repeat(16 * 1024) + "\n";
        frames.next.addAll(List.of("{\"n\":1}\n", "{\"n\":2}\n", large, "{\"n\":3}\n", END));

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo("{\"n\":1}\n{\"n\":2}\n" + large);
            assertThat(client.chunk()).isEqualTo("{\"n\":3}\n");
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void watch_whoseClientLeaves_isClosed() throws Exception {
        Gated frames = new Gated();
        dev.answer(_ -> frames.response());

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            client.head();
        }
        assertThat(frames.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void slowReader_holdsTheWatchBack() throws Exception {
        Gated frames = new Gated();
        dev.answer(_ -> frames.response());
        String frame = "x".repeat(1 << 20);
        for (int i = 0; i < 200; i++) {
            frames.next.add(frame);
        }
        frames.next.add(END);

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            client.head();
            client.chunk();
            // What is on its way is bounded; the rest waits in the cluster.
            assertThat(frames.next.size()).isGreaterThan(100);
            int read = 1;
            while (!client.chunk().isEmpty()) {
                read++;
            }
            assertThat(read).isEqualTo(200);
        }
    }

    /** What makes frames counts one at a time. */
    @Test
    void frameAfterOneThatIsNotRead_isNotMade() throws Exception {
        List<String> made = List.of("x".repeat(16 << 20), "y");
        CountDownLatch both = new CountDownLatch(made.size());
        dev.answer(_ -> new ApiResponse.Pieces(200, "application/json", Map.of(), new ApiResponse.Frames() {
            private final Iterator<String> next = made.iterator();

            @Override
            public byte @Nullable [] next() {
                both.countDown();
                return next.hasNext() ? next.next().getBytes(UTF_8) : null;
            }

            @Override
            public void close() {}
        }));

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(both.await(500, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(client.chunk()).hasSize(16 << 20);
            assertThat(client.chunk()).isEqualTo("y");
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void listInPieces_isOneBody() throws Exception {
        Gated pieces = new Gated();
        pieces.next.addAll(List.of("{\"items\":[", "1", "]}", END));
        dev.answer(_ -> new ApiResponse.Pieces(200, "application/json", Map.of(), pieces));

        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/dev/api/v1/pods", TestEdge.JANE).body())
                    .isEqualTo("{\"items\":[1]}");
            assertThat(client.get("/clusters/dev/api/v1/pods", TestEdge.JANE).status())
                    .isEqualTo(200);
        }
        assertThat(pieces.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void listThatCannotBeFinished_hasNoEnd() throws Exception {
        Gated pieces = new Gated();
        pieces.next.add("{\"items\":[");
        dev.answer(_ -> new ApiResponse.Pieces(200, "application/json", Map.of(), pieces));

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo("{\"items\":[");
            pieces.next.add(BROKEN);
            assertThat(client.rest()).isEmpty();
        }
        assertThat(pieces.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void body_isHandedOverWhole() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/dev/api/v1/namespaces/x/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"a\":");
            client.send("\"bcde\"}");

            assertThat(client.answer(false).status()).isEqualTo(200);
            assertThat(dev.requests()).singleElement().satisfies(request -> {
                assertThat(new String(request.body(), UTF_8)).isEqualTo("{\"a\":\"bcde\"}");
                assertThat(request.header("content-type")).isEqualTo("application/json");
            });
            assertThat(client.get("/clusters/dev/api", TestEdge.JANE).status()).isEqualTo(200);
        }
    }

    @Test
    void bodyBeyondTheLimit_is413() throws Exception {
        int tooMany = Limited.BY_DEFAULT.limits().hostedBodyBytesMax().intBytes() + 1;
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/dev/api/v1/namespaces/x/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Length: " + tooMany + "\r\n\r\n");

            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains("limit is 3145728");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void http2BodyBeyondTheLimit_is413() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("POST", "/clusters/dev/api/v1/namespaces/x/configmaps")
                            .add("authorization", "Bearer jane-token"),
                    false);
            stream.send(
                    "x".repeat(Limited.BY_DEFAULT.limits().hostedBodyBytesMax().intBytes() + 1), true);

            assertThat(stream.next()).isEqualTo("head 413");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void rightThatIsRevokedWhileTheBodyTrickles_isNotUsed() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        dev.allow((_, _) -> {
            asked.countDown();
            return true;
        });
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("POST", "/clusters/dev/api/v1/namespaces/x/configmaps")
                            .add("authorization", "Bearer jane-token"),
                    false);
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            dev.allow((_, _) -> false);
            // What was allowed holds for a second.
            assertThat(new CountDownLatch(1).await(1_500, TimeUnit.MILLISECONDS))
                    .isFalse();
            stream.send("{}", true);

            assertThat(stream.next()).isEqualTo("head 403");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void impersonation_leavesTheCallerKnown() throws Exception {
        dev.allow((_, _) -> true);
        try (RawClient client = edge.client()) {
            client.get("/clusters/dev/api/v1/namespaces/x/secrets", TestEdge.JANE, "Impersonate-User: other");
        }

        assertThat(dev.requests()).hasSize(1).allSatisfy(request -> {
            assertThat(request.user().name()).isEqualTo("other");
            assertThat(request.caller()).isEqualTo(CallerName.ofGateway("jane"));
        });
    }

    @Test
    void requestThatRightsDoNotCover_is403AsKubernetesWordsIt() throws Exception {
        dev.allow((_, request) -> !request.resource().equals("secrets"));
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api/v1/namespaces/x/secrets/y", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body())
                    .contains("secrets \\\"y\\\" is forbidden: User \\\"jane\\\" cannot get resource \\\"secrets\\\""
                            + " in API group \\\"\\\" in the namespace \\\"x\\\"")
                    .contains("\"details\":{\"name\":\"y\",\"kind\":\"secrets\"}");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalid", "10", "1d", "5%20s"})
    void timeoutThatIsNoDuration_is400(String timeout) throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api/v1/pods?timeout=" + timeout, TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("invalid timeout specified in the request URL");
        }
    }
}
