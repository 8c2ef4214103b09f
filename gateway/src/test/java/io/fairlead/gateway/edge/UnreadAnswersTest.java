package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.Http2Settings;
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

            Await.until(() -> reached(edge, "limits.unreadBytesMax") > 0);
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

            assertThat(reached(edge, "limits.unreadBytesMax")).isZero();
        }
    }

    private static RawHttp2Client client(TestEdge edge) throws Exception {
        RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address);
        client.send(new DefaultHttp2SettingsFrame(new Http2Settings().initialWindowSize(0)));
        return client;
    }

    private static RawHttp2Client.Stream stranger(RawHttp2Client client) {
        return client.open(RawHttp2Client.head("GET", "/clusters/dev/api"), true);
    }

    private static double reached(TestEdge edge, String limit) {
        String line = "fairlead_limit_reached_total{limit=\"" + limit + "\"} ";
        return edge.metrics
                .scrape()
                .lines()
                .filter(sample -> sample.startsWith(line))
                .mapToDouble(sample -> Double.parseDouble(sample.substring(line.length())))
                .sum();
    }
}
