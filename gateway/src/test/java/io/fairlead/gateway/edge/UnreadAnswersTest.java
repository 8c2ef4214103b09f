package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** They come in later turns of the event loop than the head, which is not held up by the window. */
    @Test
    void eventsBehindAClosedWindow_count() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "64Ki")));
                RawHttp2Client silent = client(edge)) {
            edge.attach("fake", fake);
            List<FakeUpstream.Call> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawHttp2Client.Stream watch = silent.open(watch(), true);
                calls.add(fake.next());
                calls.getLast().answer(200);
                assertThat(watch.next()).isEqualTo("head 200");
            }
            calls.forEach(call -> call.data("x".repeat(4_096)));

            Await.until(() -> edge.reached("limits.unreadBytesMax") > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWaitsAtItsSource_countsUntilItsAnswerEnds(boolean ends) throws Exception {
        FakeUpstream fake = new FakeUpstream();
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("limits.unreadBytesMax", "90Ki")));
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address);
                RawClient older = edge.client()) {
            edge.attach("fake", fake);
            older.send("GET /clusters/fake/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN
                    + "\r\n\r\n");
            FakeUpstream.Call first = fake.next();
            client.open(watch(), true);
            FakeUpstream.Call second = fake.next();
            for (FakeUpstream.Call call : List.of(first, second)) {
                call.answer(200);
                call.tell(() -> call.receiver().onWaiting(50_000));
                if (ends) {
                    call.tell(() -> call.receiver().onEnd());
                }
            }
            if (ends) {
                assertThat(older.answer(false).status()).isEqualTo(200);
            }
            client.open(watch(), true);
            FakeUpstream.Call third = fake.next();
            third.answer(200);
            third.tell(() -> third.receiver().onWaiting(50_000));
            third.tell(() -> {});

            if (ends) {
                assertThat(edge.reached("limits.unreadBytesMax")).isZero();
            } else {
                Await.until(() -> edge.reached("limits.unreadBytesMax") > 0);
            }
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

    private static Http2Headers watch() {
        return RawHttp2Client.head("GET", "/clusters/fake/api/v1/pods?watch=1")
                .add("authorization", "Bearer jane-token");
    }
}
