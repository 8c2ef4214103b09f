package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to a hosted cluster that is just being opened. */
class OpeningClusterTest {
    private static final ClusterName DEV = new ClusterName("dev");

    private final TestEdge edge;

    OpeningClusterTest() throws IOException {
        edge = new TestEdge();
    }

    @AfterEach
    void close() throws IOException {
        edge.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {TestEdge.ADMIN, TestEdge.JANE})
    void request_waitsUntilTheClusterIsOpen(String credential) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        edge.register(new ClusterEntry.Opening(DEV, new Opens() {
            @Override
            public boolean await(Duration timeout) throws InterruptedException {
                waits.countDown();
                gate.await();
                return true;
            }
        }));
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/dev/api HTTP/1.1\r\nHost: localhost\r\n" + credential + "\r\n\r\n");
            waits.await();
            edge.host("dev");
            gate.countDown();

            assertThat(client.answer(false).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TestEdge.ADMIN, TestEdge.JANE})
    void request_toAClusterThatStaysClosed_is503WithRetryAfter(String credential) throws Exception {
        edge.register(new ClusterEntry.Opening(DEV, new Opens()));

        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api", credential);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isEqualTo("1");
            assertThat(answer.body())
                    .contains("\"reason\":\"ClusterOpening\"")
                    .contains("cluster \\\"dev\\\": it is still being opened (expected to be open soon; try again)");
        }
    }

    /** Never opens. */
    private static class Opens implements ClusterEntry.Opens {
        @Override
        public Optional<HostedCluster> opened() {
            return Optional.empty();
        }

        @Override
        public boolean await(Duration timeout) throws InterruptedException {
            return false;
        }
    }
}
