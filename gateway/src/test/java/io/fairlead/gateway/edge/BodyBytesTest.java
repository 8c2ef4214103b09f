package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.hosted.ApiResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What bodies under way may take, and what their senders hear for whom there is no room. */
class BodyBytesTest {
    private static final int BODY_BYTES = 100_000;
    private static final Configuration LIMITS = buffers(6_000_000, 4_000_000);
    private static final String OBJECTS = "/clusters/dev/api/v1/namespaces/x/configmaps";

    private final List<RawClient> clients = new ArrayList<>();
    private TestEdge edge;
    private FakeHosted dev;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(LIMITS);
        dev = edge.host("dev");
    }

    @AfterEach
    void stop() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        edge.close();
    }

    @Test
    void unfinishedBodies_beyondTheCallersPart_are429_andOthersAreServed() throws Exception {
        int unfinished = 0;
        while (edge.buffers.taken() < BufferLimits.of(LIMITS.limits()).perCallerBytesMax() - 2L * BODY_BYTES) {
            unfinished++;
            RawClient client = client();
            client.send(head("POST", OBJECTS, TestEdge.JANE, BODY_BYTES) + "x".repeat(BODY_BYTES - 1));
            long before = unfinished * (BODY_BYTES - 1L);
            Await.until(() -> edge.buffers.taken() >= before);
        }
        RawClient last = client();
        last.send(head("POST", OBJECTS, TestEdge.JANE, BODY_BYTES) + "x".repeat(BODY_BYTES));
        RawAnswer refused = last.answer(false);

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).contains("\"reason\":\"TooManyRequests\"", "limits.bufferedBytesPerCallerMax");
        RawClient other = client();
        other.send(head("POST", OBJECTS, TestEdge.ADMIN, 2) + "{}");
        assertThat(other.answer(false).status()).isEqualTo(200);
        assertThat(edge.metrics.scrape())
                .doesNotContain("fairlead_limit_reached_total{limit=\"limits.bufferedBytesPerCallerMax\"} 0.0");

        for (RawClient client : clients) {
            client.leave();
        }
        Await.until(() -> edge.buffers.taken() == 0);
    }

    @Test
    void completeBody_takesMore_untilItIsAnswered() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        dev.answer(_ -> {
            working.countDown();
            await(release);
            return FakeHosted.json(200, "{}");
        });
        RawClient client = client();
        client.send(head("POST", OBJECTS, TestEdge.JANE, BODY_BYTES) + "x".repeat(BODY_BYTES));
        await(working);
        assertThat(edge.buffers.taken()).isGreaterThanOrEqualTo(10L * BODY_BYTES);

        release.countDown();
        assertThat(client.answer(false).status()).isEqualTo(200);
        Await.until(() -> edge.buffers.taken() == 0);
    }

    @Test
    void bodyOfARequestWithALongAnswer_isHeldNoLongerThanTheClusterNeedsIt() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        dev.answer(_ -> new ApiResponse.Pieces(200, "application/json", Map.of(), new Frames(over)));
        RawClient client = client();
        client.send(head("DELETE", OBJECTS, TestEdge.JANE, BODY_BYTES) + "x".repeat(BODY_BYTES));

        assertThat(client.head().status()).isEqualTo(200);
        Await.until(() -> edge.buffers.taken() == 0);
        assertThat(over.getCount()).isPositive();
    }

    /** None until they are closed. */
    private record Frames(CountDownLatch over) implements ApiResponse.Frames {
        @Override
        public byte @Nullable [] next() throws InterruptedException {
            over.await();
            return null;
        }

        @Override
        public void close() {
            over.countDown();
        }
    }

    @Test
    void bodies_beyondTheClustersPart_are429NamingIt() throws Exception {
        assertThat(refusalWith(buffers(6_000_000, 900_000)))
                .contains("cluster \\\"dev\\\"", "limits.bufferedBytesPerClusterMax");
    }

    @Test
    void bodies_beyondTheProcess_are429NamingIt() throws Exception {
        assertThat(refusalWith(buffers(900_000, 4_000_000))).contains("the gateway", "limits.bufferedBytesMax");
    }

    @Test
    void bodyForWhichThereIsNeverRoom_is413() throws Exception {
        RawClient client = client();
        client.send(head("POST", OBJECTS, TestEdge.JANE, 200_001));

        RawAnswer refused = client.answer(false);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body()).contains("limit is 200000");
    }

    @Test
    void bodyWithoutRights_isNotRead() throws Exception {
        dev.allow((_, _) -> false);
        RawClient client = client();
        client.send(head("POST", OBJECTS, TestEdge.JANE, BODY_BYTES));

        assertThat(client.answer(false).status()).isEqualTo(403);
        assertThat(edge.buffers.taken()).isZero();
    }

    @Test
    void pathsThatTakeNoBody_areAnsweredBeforeItComes() throws Exception {
        for (String path : List.of("/fairlead/v1/version", "/fairlead/v1/clusters/dev/data", "/clusters/dev/version")) {
            RawClient client = client();
            client.send(head("POST", path, TestEdge.JANE, BODY_BYTES) + "x");

            assertThat(client.answer(false).status()).as(path).isEqualTo(200);
        }
    }

    private static Configuration buffers(int bytesMax, int perClusterBytesMax) {
        return Limited.by(Map.of(
                "limits.bufferedBytesMax",
                bytesMax,
                "limits.bufferedBytesPerClusterMax",
                perClusterBytesMax,
                "limits.bufferedBytesPerCallerMax",
                2_000_000));
    }

    private String refusalWith(Configuration configuration) throws Exception {
        edge.close();
        edge = new TestEdge(configuration);
        edge.host("dev");
        RawClient client = client();
        client.send(head("POST", OBJECTS, TestEdge.JANE, BODY_BYTES) + "x".repeat(BODY_BYTES));
        RawAnswer refused = client.answer(false);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(edge.buffers.taken()).isZero();
        return refused.body();
    }

    private RawClient client() throws Exception {
        RawClient client = edge.client();
        clients.add(client);
        return client;
    }

    private static String head(String method, String target, String credential, int bytes) {
        return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + credential + "\r\nContent-Length: " + bytes
                + "\r\n\r\n";
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
