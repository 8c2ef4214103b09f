package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many requests to the gateway itself a caller has at once. */
class GatewayCallsTest {
    private static final String SLOW = "/fairlead/v1/slow";

    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.by(Map.of("limits.gatewayCallsPerCallerMax", 2)));
        edge.answerOwn(this::answer);
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        edge.close();
    }

    @Test
    void callerWithTooManyAtOnce_is429_andOthersAreAnswered_untilOneEnds() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            for (RawClient client : new RawClient[] {first, second}) {
                client.send("GET " + SLOW + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
                assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            }

            RawAnswer refused = third.get("/fairlead/v1/usage", TestEdge.JANE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).contains("user \\\"jane\\\" has 2 requests", "limits.gatewayCallsPerCallerMax");
            assertThat(third.get("/metrics", TestEdge.JANE).status()).isEqualTo(429);
            assertThat(third.get("/fairlead/v1/usage", TestEdge.ADMIN).status()).isEqualTo(200);
            assertThat(third.get("/livez", TestEdge.JANE).status()).isEqualTo(200);
            assertThat(edge.metrics.scrape())
                    .contains("fairlead_limit_reached_total{limit=\"limits.gatewayCallsPerCallerMax\"} 2.0");

            end.countDown();
            assertThat(first.answer(false).status()).isEqualTo(200);
            Await.until(() -> isAnswered(third, "/metrics")); // Work ends after its answer was sent.
        }
    }

    @Test
    void requestThatFails_orIsLeft_givesItsShareBack() throws Exception {
        try (RawClient client = edge.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/fairlead/v1/refused", TestEdge.JANE).status())
                        .isEqualTo(404);
                assertThat(client.get("/fairlead/v1/broken", TestEdge.JANE).status())
                        .isEqualTo(500);
            }
            for (int i = 0; i < 2; i++) {
                try (RawClient leaving = edge.client()) {
                    leaving.send("GET " + SLOW + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
                    assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
                    leaving.leave();
                }
            }
            assertThat(client.get("/fairlead/v1/usage", TestEdge.JANE).status())
                    .as("what is left is worked on still")
                    .isEqualTo(429);
            end.countDown();
            Await.until(() -> isAnswered(client, "/fairlead/v1/usage"));
        }
    }

    private static boolean isAnswered(RawClient client, String path) {
        try {
            return client.get(path, TestEdge.JANE).status() == 200;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private ApiResponse answer(AdminRequest request) {
        return switch (request.path()) {
            case SLOW -> {
                begun.release();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                yield FakeHosted.json(200, "{}");
            }
            case "/fairlead/v1/refused" -> throw new StatusException(Status.of(404, "NotFound", "of the test"));
            case "/fairlead/v1/broken" -> throw new IllegalStateException("of the test");
            default -> FakeHosted.json(200, "{}");
        };
    }
}
