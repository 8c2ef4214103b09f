package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that let nothing of a body be sent, by an HTTP/2 window of 0, however short the body is. */
class UnreadAnswersTest {
    private static final int STREAMS = 200;

    @Test
    void shortAnswers_beyondWhatThereIsMemoryFor_areEnded_alsoOfStrangers() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "64Ki")));
                RawHttp2Client silent = client(edge);
                RawHttp2Client reading = new RawHttp2Client(edge.pki, edge.address)) {
            for (int i = 0; i < STREAMS; i++) {
                stranger(silent);
            }

            Await.until(() -> edge.reached("limits.unreadBytesMax") > 0);
            RawHttp2Client.Stream answered = stranger(reading);
            assertThat(answered.next()).isEqualTo("head 401");
            assertThat(answered.next()).contains("Unauthorized");
        }
    }

    @Test
    void shortAnswers_thatAreRead_countNoMore() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "64Ki")));
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            for (int i = 0; i < STREAMS; i++) {
                assertThat(stranger(client).next()).isEqualTo("head 401");
            }

            assertThat(edge.reached("limits.unreadBytesMax")).isZero();
        }
    }

    /** Whole answers are over for their connection while they wait in its socket. */
    @Test
    void answersOfTheClusterWithTheMost_areEnded_notTheLargest() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "12Mi")));
                RawClient slow = edge.client();
                RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            edge.host("dev").answer(_ -> FakeHosted.json(200, "x".repeat(5 << 20)));
            edge.host("evil").answer(_ -> FakeHosted.json(200, "x".repeat(4 << 20)));
            slow.send(get("dev"));
            for (RawClient silent : List.of(first, second, third)) {
                silent.send(get("evil"));
            }

            Await.until(() -> edge.reached("limits.unreadBytesMax") > 0);
            assertThat(slow.answer(false).body()).hasSize(5 << 20);
        }
    }

    private static String get(String cluster) {
        return "GET /clusters/" + cluster + "/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN
                + "\r\n\r\n";
    }

    private static RawHttp2Client client(TestEdge edge) throws Exception {
        RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address);
        client.send(new DefaultHttp2SettingsFrame(new Http2Settings().initialWindowSize(0)));
        return client;
    }

    private static RawHttp2Client.Stream stranger(RawHttp2Client client) {
        return client.open(RawHttp2Client.head("GET", "/clusters/dev/api"), true);
    }
}
