package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies and answers on their way through the proxy: at once, held back where somebody is slow, never cut in silence. */
class ProxyStreamTest extends FakeUpstreamFixture {
    /** What passes by itself, if the server has seen nothing of the request. */
    private static final Set<UpstreamFailure.Kind> WORTH_A_REPETITION = EnumSet.of(
            UpstreamFailure.Kind.NO_READY_ENDPOINT,
            UpstreamFailure.Kind.OVERLOADED,
            UpstreamFailure.Kind.CLOSED,
            UpstreamFailure.Kind.RESET);

    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";

    @Test
    void watch_overHttp1_isSentEventByEvent() throws Exception {
        Semaphore next = new Semaphore(0);
        edge.attach("prod").answer((_, _, out) -> {
            RawUpstream.write(out, CHUNKED);
            for (int i = 0; i < 3; i++) {
                next.acquire();
                RawUpstream.write(out, "8\r\n{\"n\":" + i + "}\n\r\n");
            }
            next.acquire();
            RawUpstream.write(out, "0\r\n\r\n");
        });

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/prod/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            for (int i = 0; i < 3; i++) {
                next.release();
                assertThat(client.chunk()).isEqualTo("{\"n\":" + i + "}\n");
            }
            next.release();
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void watch_overHttp2_isSentEventByEvent() throws Exception {
        Semaphore next = new Semaphore(0);
        edge.attach("prod").answer((_, _, out) -> {
            RawUpstream.write(out, CHUNKED);
            for (int i = 0; i < 3; i++) {
                next.acquire();
                RawUpstream.write(out, "8\r\n{\"n\":" + i + "}\n\r\n");
            }
            next.acquire();
            RawUpstream.write(out, "0\r\n\r\n");
        });

        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = get(client, "/clusters/prod/api/v1/pods?watch=1");
            assertThat(stream.next()).isEqualTo("head 200");
            for (int i = 0; i < 3; i++) {
                next.release();
                assertThat(stream.next()).isEqualTo("data {\"n\":" + i + "}\n");
            }
            next.release();
            assertThat(stream.next()).isEqualTo("end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", "content-length: 100\r\n\r\nhello"})
    void answerThatEndsEarly_overHttp1_isNoCleanEnd(String answer) throws Exception {
        edge.attach("prod").answer((_, _, out) -> {
            RawUpstream.write(out, "HTTP/1.1 200 OK\r\n" + answer);
            out.close();
        });

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/prod/api HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.rest()).contains("hello").doesNotEndWith("0\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", "content-length: 100\r\n\r\nhello"})
    void answerThatEndsEarly_overHttp2_isReset(String answer) throws Exception {
        edge.attach("prod").answer((_, _, out) -> {
            RawUpstream.write(out, "HTTP/1.1 200 OK\r\n" + answer);
            out.close();
        });

        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            assertThat(get(client, "/clusters/prod/api").last()).isEqualTo("reset INTERNAL_ERROR");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/a/services/b/proxy/index.html, true",
        "/api/v1/namespaces/a/pods/b/proxy, true",
        "/api/v1/proxy/namespaces/a/pods/b/, true",
        "/api/v1/namespaces/a/pods/b/log, false"
    })
    void answerOfAWorkload_isSandboxedFromOtherTenantsPages(String path, boolean sandboxed) throws Exception {
        edge.attach("prod")
                .answer((_, _, out) -> RawUpstream.write(
                        out, "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 0\r\n\r\n"));

        try (RawClient client = edge.client()) {
            client.send("GET /clusters/prod" + path + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            assertThat(client.head().header("content-security-policy").contains("sandbox"))
                    .isEqualTo(sandboxed);
        }
    }

    @Test
    void slowReader_holdsTheUpstreamBack() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/fake/api/v1/pods/x/log HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            assertThat(call.kind).isEqualTo(Upstream.Kind.LONG_RUNNING);
            call.answer(200);
            String piece = "x".repeat(1 << 16);
            int pieces = 0;
            while (call.events.isEmpty() && pieces < 4096) {
                call.data(piece);
                pieces++;
            }
            assertThat(call.event()).isEqualTo("reading false");

            client.head();
            long bytes = 0;
            while (bytes < (long) pieces << 16) {
                bytes += client.chunk().length();
            }
            String event = call.event();
            while (event.equals("reading false")) {
                event = call.event();
            }
            assertThat(event).isEqualTo("reading true");
        }
    }

    @Test
    void slowUpstream_holdsTheClientBack() throws Exception {
        int length = 8 << 20;
        fake.holdBodies();
        try (RawClient client = edge.client()) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.send("POST /clusters/fake/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                            + "\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length));
                } catch (IOException e) {
                    // The test ends before all is sent.
                }
            });
            FakeUpstream.Call call = fake.next();
            for (int turn = 0; turn < 1000; turn++) {
                call.tell(() -> {});
            }
            long held = call.bodyBytes.get();
            assertThat(held).isLessThan(1 << 20);

            call.writable = true;
            call.tell(() -> call.receiver().onWritabilityChanged(true));
            assertThat(call.event()).isEqualTo("end");
            assertThat(call.bodyBytes.get()).isEqualTo(length);
        }
    }

    @Test
    void clientThatLeaves_cancelsTheExchange() throws Exception {
        FakeUpstream.Call call;
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/fake/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            call = fake.next();
            call.answer(200);
            client.head();
        }
        assertThat(call.event()).isEqualTo("cancel");
    }

    @Test
    void http2Reset_cancelsTheExchange() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = get(client, "/clusters/fake/api/v1/pods?watch=1");
            FakeUpstream.Call call = fake.next();
            stream.reset();

            assertThat(call.event()).isEqualTo("cancel");
        }
    }

    @ParameterizedTest
    @EnumSource(UpstreamFailure.Kind.class)
    void failureBeforeTheHead_isAStatusThatNamesTheCluster(UpstreamFailure.Kind kind) throws Exception {
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/fake/api HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            UpstreamFailure failure =
                    new UpstreamFailure(kind, "https://10.0.0.1:6443: what happened (expected better)", false);
            call.tell(() -> call.receiver().onFailure(failure));

            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isBetween(502, 504);
            assertThat(answer.body())
                    .contains("\"kind\":\"Status\"")
                    .contains("cluster \\\"fake\\\": " + failure.withoutAddress())
                    .doesNotContain("10.0.0.1")
                    .doesNotContain(TestEdge.FAIRLEADS_TOKEN);
            assertThat(answer.header("warning"))
                    .isEqualTo("299 - \"cluster \\\"fake\\\": " + failure.withoutAddress() + "\"");
            assertThat(answer.header("retry-after")).isEqualTo(WORTH_A_REPETITION.contains(kind) ? "1" : "");
        }
    }

    @Test
    void clusterThatIsNotReady_is503_warnsOfIt_andAsksForNoRepetition() throws Exception {
        edge.register(new ClusterEntry.Unready(new ClusterName("late"), "NoReadyEndpoint", "not connected yet"));
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/late/api", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isEmpty();
            assertThat(answer.header("warning")).isEqualTo("299 - \"cluster \\\"late\\\": not connected yet\"");
            assertThat(answer.body()).contains("\"reason\":\"NoReadyEndpoint\"").doesNotContain("retryAfterSeconds");
        }
    }

    @Test
    void bodyBeyondTheLimit_is413() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/fake/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\nContent-Length: "
                    + (Limited.BY_DEFAULT.limits().proxiedBodyBytesMax().bytes() + 1) + "\r\n\r\n");

            RawAnswer answer = client.answer(false);
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header("connection")).isEqualTo("close");
        }
    }

    @Test
    void pipelinedRequests_areAnsweredInOrder() throws Exception {
        edge.attach("prod").answer((head, _, out) -> RawUpstream.respond(out, 200, head.substring(5, 6)));
        try (RawClient client = edge.client()) {
            StringBuilder requests = new StringBuilder();
            for (char c = 'a'; c <= 'f'; c++) {
                requests.append(
                        "GET /clusters/prod/" + c + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            }
            client.send(requests.toString());

            for (char c = 'a'; c <= 'f'; c++) {
                assertThat(client.answer(false).body()).isEqualTo(String.valueOf(c));
            }
        }
    }

    @Test
    void expectContinue_isAnsweredHere() throws Exception {
        RawUpstream prod = edge.attach("prod");
        prod.answer((_, in, out) -> {
            in.readNBytes(4);
            RawUpstream.respond(out, 201, "{}");
        });
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/prod/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(100);
            client.send("abcd");

            assertThat(client.answer(false).status()).isEqualTo(201);
        }
        assertThat(prod.header("Expect")).isEmpty();
        assertThat(prod.received()).endsWith("\r\n\r\nabcd");
    }

    @Test
    void chunkedBody_isForwardedWhole() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/fake/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                    + "4;x=y\r\n"
                    + "abcd\r\n"
                    + "2\r\n"
                    + "ef\r\n"
                    + "0\r\n"
                    + "Impersonate-User: root\r\n\r\n");
            FakeUpstream.Call call = fake.next();

            assertThat(call.event()).isEqualTo("end");
            assertThat(call.bodyBytes.get()).isEqualTo(6);
            assertThat(call.head.contentLength()).isEqualTo(-1);
        }
    }

    @Test
    void http2Body_isForwardedWhole() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(
                    RawHttp2Client.head("POST", "/clusters/fake/api/v1/pods").add("authorization", "Bearer jane-token"),
                    false);
            FakeUpstream.Call call = fake.next();
            stream.send("abcd", false);
            stream.send("ef", true);

            assertThat(call.event()).isEqualTo("end");
            assertThat(call.bodyBytes.get()).isEqualTo(6);
            call.answer(201, "Content-Length: 2");
            call.data("{}");
            call.tell(() -> call.receiver().onEnd());
            assertThat(stream.next()).isEqualTo("head 201");
            assertThat(stream.last()).isEqualTo("end");
        }
    }

    @Test
    void head_hasTheLengthAndNoBody() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("HEAD /clusters/fake/api HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            call.answer(200, "Content-Length: 1234");
            call.tell(() -> call.receiver().onEnd());

            assertThat(client.answer(true).header("content-length")).isEqualTo("1234");
            assertThat(client.get("/livez").body()).isEqualTo("ok");
        }
    }

    private static RawHttp2Client.Stream get(RawHttp2Client client, String target) {
        return client.open(RawHttp2Client.head("GET", target).add("authorization", "Bearer jane-token"), true);
    }
}
