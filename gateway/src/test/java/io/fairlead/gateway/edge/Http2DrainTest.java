package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.HistoryModes;
import io.fairlead.model.HistoryMode;
import io.fairlead.testkit.LogLines;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The end of HTTP/2 connections when the front end drains. */
class Http2DrainTest {
    @RepeatedTest(5)
    void drain_letsStreamsFinish() throws Exception {
        try (TestEdge edge = new TestEdge();
                HttpClient client = edge.http2()) {
            FakeUpstream fake = new FakeUpstream();
            edge.attach("fake", fake);
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                    HttpRequest.newBuilder(edge.uri("/clusters/fake/api/v1/pods"))
                            .header("Authorization", "Bearer jane-token")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            FakeUpstream.Call call = fake.next();
            call.answer(200, "Content-Type: application/json");
            call.data("{");

            try (LogLines log = new LogLines(EdgeServer.class)) {
                Thread draining = drain(edge);
                edge.awaitRefusal();
                Await.until(() -> !log.texts().isEmpty());
                assertThat(log.texts().getFirst())
                        .matches("INFO Draining: waits for connections to end connections=\\d+ secondsLeft=\\d+");
                call.data("}");
                call.tell(() -> call.receiver().onEnd());
                assertThat(answer.get(10, TimeUnit.SECONDS).body()).isEqualTo("{}");
                draining.join();
            }
        }
    }

    @Test
    void drain_endsAWatchBetweenTwoEvents() throws Exception {
        try (TestEdge edge = new TestEdge();
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            FakeUpstream fake = new FakeUpstream();
            edge.historyModes = new HistoryModes(HistoryMode.OFF, Map.of()); // A guard would hold half an event.
            edge.attach("fake", fake);
            RawHttp2Client.Stream watch = client.open(
                    RawHttp2Client.head("GET", "/clusters/fake/api/v1/pods?watch=1")
                            .add("authorization", "Bearer jane-token"),
                    true);
            FakeUpstream.Call call = fake.next();
            call.answer(200, "Content-Type: application/json");
            call.data("{\"type\":");
            assertThat(watch.next()).isEqualTo("head 200");
            assertThat(watch.next()).isEqualTo("data {\"type\":");

            Thread draining = drain(edge);
            edge.awaitRefusal();
            call.data("\"ADDED\"}\n");

            assertThat(watch.next()).isEqualTo("data \"ADDED\"}\n");
            assertThat(watch.next()).isEqualTo("end");
            assertThat(call.event()).isEqualTo("cancel");
            assertThat(client.end()).isEqualTo("NO_ERROR, NO_ERROR");
            draining.join();
        }
    }

    private static Thread drain(TestEdge edge) {
        return Thread.ofVirtual().start(() -> {
            try {
                edge.server.drain(Duration.ZERO, Duration.ofSeconds(20));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
