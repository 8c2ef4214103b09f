package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.netty.handler.codec.http2.Http2Headers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that takes connections and requests and never answers, beside one that does. */
class HangingClusterTest {
    private static final int REQUESTS = 50;

    private final CountDownLatch end = new CountDownLatch(1);
    private TestEdge edge;
    private RawUpstream mute;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        mute = edge.attach("mute");
        mute.talk((_, _, _) -> end.await());
        edge.attach("well").answer((_, _, out) -> RawUpstream.respond(out, 200, "{\"kind\":\"PodList\"}"));
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        edge.close();
    }

    @Test
    void requestsToOthers_onTheSameHttp2Connection_areAnswered() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            List<RawHttp2Client.Stream> hanging = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                hanging.add(client.open(pods("mute"), true));
            }
            Await.until(() -> mute.heads().size() == REQUESTS);

            for (int i = 0; i < REQUESTS; i++) {
                RawHttp2Client.Stream stream = client.open(pods("well"), true);
                assertThat(stream.next()).isEqualTo("head 200");
                assertThat(stream.next()).contains("PodList");
            }
            assertThat(hanging).allSatisfy(stream -> assertThat(stream.frames()).isEmpty());
        }
    }

    @Test
    void requestsToOthers_onOtherConnections_areAnswered() throws Exception {
        try (RawClient hanging = edge.client();
                RawClient client = edge.client()) {
            hanging.send("GET /clusters/mute/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            Await.until(() -> mute.heads().size() == 1);

            for (int i = 0; i < REQUESTS; i++) {
                assertThat(client.get("/clusters/well/api/v1/pods", TestEdge.JANE)
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void requestToIt_is504NamingItOnceItsTimeIsOver() throws Exception {
        RawUpstream slow =
                edge.attach("slow", Limited.upstreamsByDefault().withFirstByteTimeout(Duration.ofMillis(200)));
        slow.talk((_, _, _) -> end.await());
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/slow/api/v1/pods", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body())
                    .contains("\"kind\":\"Status\"", "\"reason\":\"Timeout\"", "\"reason\":\"UpstreamTimeout\"")
                    .contains("cluster \\\"slow\\\"", "200 ms");
            assertThat(client.get("/clusters/well/api/v1/pods", TestEdge.JANE).status())
                    .isEqualTo(200);
        }
    }

    /** Nothing of the request is gone by then, and the handshake may well be a proxy's that lost its server. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/pods", "/api/v1/pods?watch=1"})
    void requestToOneThatHangsInItsHandshake_is504NamingWhatWasWaitedFor(String path) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                RawClient client = edge.client()) {
            URI url = URI.create("https://127.0.0.1:" + silent.getLocalPort());
            edge.attach("silent", url, Limited.upstreamsByDefault().withTlsTimeout(Duration.ofMillis(200)));

            RawAnswer answer = client.get("/clusters/silent" + path, TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body())
                    .contains("\"kind\":\"Status\"", "\"reason\":\"Timeout\"", "\"reason\":\"UpstreamTimeout\"")
                    .contains("cluster \\\"silent\\\": its API server did not finish the TLS handshake within 200 ms")
                    .doesNotContain("127.0.0.1", url.toString());
        }
    }

    private static Http2Headers pods(String cluster) {
        return RawHttp2Client.head("GET", "/clusters/" + cluster + "/api/v1/pods")
                .add("authorization", "Bearer jane-token");
    }
}
