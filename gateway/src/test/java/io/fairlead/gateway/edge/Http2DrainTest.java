package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;

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

            Thread draining = Thread.ofVirtual().start(() -> {
                try {
                    edge.server.drain(Duration.ZERO, Duration.ofSeconds(20));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            edge.awaitRefusal();
            call.data("}");
            call.tell(() -> call.receiver().onEnd());
            assertThat(answer.get(10, TimeUnit.SECONDS).body()).isEqualTo("{}");
            draining.join();
        }
    }
}
