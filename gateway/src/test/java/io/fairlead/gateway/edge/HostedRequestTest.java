package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.HistoryModes;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.HistoryMode;
import io.fairlead.testkit.LogLines;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of requests to a hosted cluster that wait, fail, or are there at the end. */
final class HostedRequestTest extends HostedAnswerFixture {
    @Test
    void unknownTypes_waitForTheIndex() throws Exception {
        CompletableFuture<Void> synced = edge.unsync("dev");
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/apis/example.com/v1/bars HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            synced.complete(null);

            assertThat(client.answer(false).status()).isEqualTo(200);
        }
    }

    @Test
    void unknownTypes_thatStayUnknown_are503AndNever404() throws Exception {
        edge.unsync("dev");
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/apis/example.com/v1/bars", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isEqualTo("1");
            assertThat(answer.body()).contains("\"reason\":\"TypeIndexNotSynced\"");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void unknownTypes_ofAnAttachedCluster_areForwarded() throws Exception {
        RawUpstream prod = edge.attach("prod");
        edge.unsync("prod");
        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/prod/apis/example.com/v1/bars", TestEdge.JANE)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(prod.heads()).hasSize(1);
    }

    @Test
    void ownApi_isAnsweredToAuthenticatedCallersOnly() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get("/fairlead/v1/clusters").status()).isEqualTo(401);
            assertThat(client.get("/fairlead/v1/clusters", TestEdge.JANE).body())
                    .isEqualTo("{\"own\":true}");
        }
    }

    @Test
    void handlerThatThrows_is500WithoutDetails() throws Exception {
        dev.answer(_ -> {
            throw new IllegalStateException("secret detail");
        });
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).contains("InternalError").doesNotContain("secret detail");
        }
    }

    @Test
    void handlerThatThrowsAgainAndAgain_doesNotFillTheLog() throws Exception {
        dev.answer(_ -> {
            throw new ArrayStoreException("of the test");
        });
        try (LogLines lines = new LogLines(Steps.class);
                RawClient client = edge.client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/clusters/dev/api", TestEdge.JANE).status())
                        .isEqualTo(500);
            }

            assertThat(lines.texts()).hasSize(1);
        }
    }

    @Test
    void handlerThatMeetsAnError_is500_andTheNextRequestIsAnswered() throws Exception {
        dev.answer(_ -> {
            throw new OutOfMemoryError("of the test");
        });
        try (RawClient client = edge.client()) {
            assertThat(client.get("/clusters/dev/api", TestEdge.JANE).status()).isEqualTo(500);
            dev.answer(_ -> FakeHosted.json(200, "{}"));
            assertThat(client.get("/clusters/dev/api", TestEdge.JANE).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/clusters/dev/x", "/clusters/dev/control-plane/x", "/k8s/clusters/dev/x"})
    void everyPathForm_reachesTheSameCluster(String target) throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get(target, TestEdge.JANE).status()).isEqualTo(200);
        }
        assertThat(dev.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.info().path()).isEqualTo("/x"));
    }

    @Test
    void drain_failsReadinessAndClosesWhatIsIdle() throws Exception {
        try (RawClient client = edge.client()) {
            assertThat(client.get("/readyz").status()).isEqualTo(200);
            edge.health.shutDown();
            RawAnswer answer = client.get("/readyz?verbose");
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).contains("[-]shutdown failed: reason withheld");

            edge.server.drain(Duration.ZERO, Duration.ofSeconds(5));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void drain_endsWatchesCleanly() throws Exception {
        Gated frames = new Gated();
        dev.answer(_ -> frames.response());
        FakeUpstream fake = new FakeUpstream();
        edge.historyModes = new HistoryModes(HistoryMode.OFF, Map.of()); // A guard would hold half an event.
        edge.attach("fake", fake);

        try (RawClient hosted = edge.client();
                RawClient attached = edge.client()) {
            hosted.send("GET /clusters/dev/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            hosted.head();
            attached.send("GET /clusters/fake/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            call.answer(200, "Content-Type: application/json");
            call.data("{\"half\":");
            attached.head();
            assertThat(attached.chunk()).isEqualTo("{\"half\":");

            Thread draining = Thread.ofVirtual().start(() -> {
                try {
                    edge.server.drain(Duration.ZERO, Duration.ofSeconds(20));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(hosted.chunk()).isEmpty();
            assertThat(hosted.isClosed()).isTrue();
            call.data("1}\n");
            assertThat(attached.chunk()).isEqualTo("1}\n");
            assertThat(attached.chunk()).isEmpty();
            assertThat(call.event()).isEqualTo("cancel");
            draining.join();
        }
    }
}
