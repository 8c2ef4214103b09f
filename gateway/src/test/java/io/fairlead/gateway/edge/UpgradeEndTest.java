package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections are switched at once, and how they end. */
final class UpgradeEndTest extends UpgradeFixture {
    @Test
    void upgradesBeyondTheLimit_are429_untilOneEnds() throws Exception {
        Configuration configuration = Limited.by(Map.of("limits.upgradesPerClusterMax", 2));
        try (TestEdge small = new TestEdge(configuration)) {
            small.attach("prod").talk((_, connection, in) -> {
                write(connection, SWITCH);
                in.transferTo(connection.getOutputStream());
                connection.close();
            });
            try (RawClient one = small.client();
                    RawClient two = small.client()) {
                assertThat(upgrade(one, EXEC, "SPDY/3.1").status()).isEqualTo(101);
                assertThat(upgrade(two, EXEC, "SPDY/3.1").status()).isEqualTo(101);
                RawAnswer refused = attempt(small);
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.header("retry-after")).isEqualTo("1");
                two.end();
                assertThat(two.rest()).isEmpty();
            }
            Await.until(() -> attempt(small).status() == 101);
        }
    }

    @Test
    void clusterThatIsClosed_endsItsUpgrades() throws Exception {
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            in.transferTo(connection.getOutputStream());
        });

        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            edge.closeUpstreams();

            assertThat(ends(client)).isTrue();
        }
    }

    @Test
    void drain_endsUpgradesLast_andCleanly() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            heard.complete(new String(in.readAllBytes(), ISO_8859_1));
        });

        try (RawClient client = edge.client();
                RawClient idle = edge.client()) {
            idle.get("/clusters/prod/api");
            upgrade(client, EXEC, "SPDY/3.1");
            Thread draining = Thread.startVirtualThread(() -> {
                try {
                    edge.server.drain(Duration.ZERO, Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(idle.isClosed()).isTrue();
            client.send("in the drain");
            Await.until(() -> prod.received().endsWith("in the drain"));

            assertThat(client.rest()).isEmpty();
            assertThat(client.wasEndSaid()).isTrue();
            assertThat(heard.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("in the drain");
            draining.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"exec, GET", "attach, GET", "portforward, GET", "exec, POST"})
    void streamOfAPod_inAHostedCluster_isRefusedClearly(String subresource, String method) throws Exception {
        edge.host("dev");
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.exchange(
                    method,
                    "/clusters/dev/api/v1/namespaces/a/pods/b/" + subresource,
                    TestEdge.ADMIN,
                    "Connection: Upgrade",
                    "Upgrade: websocket");

            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(answer.body())
                    .contains("cluster \\\"dev\\\": it is hosted")
                    .contains("pods/" + subresource);
        }
    }

    @Test
    void logOfAPod_isAnsweredByAHostedCluster_withoutThatRight() throws Exception {
        FakeHosted dev = edge.host("dev");
        dev.allow((_, request) -> !request.verb().equals("create"));
        dev.answer(_ -> new ApiResponse.Whole(204, "", Map.of(), new byte[0]));
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api/v1/namespaces/a/pods/b/log?container=c", TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.header("content-length"))
                    .as("RFC 9110, section 8.6")
                    .isEmpty();
            assertThat(answer.header("content-type")).isEmpty();
            assertThat(client.get("/clusters/dev/api/v1/namespaces/a/pods/b/log", TestEdge.ADMIN)
                            .status())
                    .as("by the same connection")
                    .isEqualTo(204);
        }
    }

    @Test
    void execByGet_needsTheRightToCreateAsWell() throws Exception {
        edge.host("dev").allow((_, request) -> !request.verb().equals("create"));
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get(
                    "/clusters/dev/api/v1/namespaces/a/pods/b/exec",
                    TestEdge.ADMIN,
                    "Connection: Upgrade",
                    "Upgrade: websocket");

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("cannot create resource \\\"pods/exec\\\"");
        }
    }

    @Test
    void openUpgrades_areCountedAsLongRunning() throws Exception {
        prod.talk((_, connection, in) -> {
            write(connection, SWITCH);
            in.transferTo(connection.getOutputStream());
            connection.close();
        });
        try (RawClient client = edge.client()) {
            upgrade(client, EXEC, "SPDY/3.1");
            assertThat(edge.metrics.scrape()).containsPattern(longRunning("1.0"));
        }
        Await.until(() -> edge.metrics.scrape().lines().anyMatch(line -> line.matches(".*" + longRunning("0.0"))));
        Await.until(() -> edge.metrics
                .scrape()
                .lines()
                .anyMatch(line -> line.matches("apiserver_request_total\\{.*code=\"101\".*\\} 1.0")));
    }
}
