package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much is served at once, and what those hear for whom there is no room. */
class FlowTest {
    private TestEdge edge;
    private final FakeUpstream fake = new FakeUpstream();

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(shares(3, 2, 3));
        edge.attach("fake", fake);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void shortCalls_beyondTheClustersShare_are429WithRetryAfter() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            FakeUpstream.Call call = fake.next();
            ask(second, "/clusters/fake/api/v1/pods");
            fake.next();

            RawAnswer refused = third.get("/clusters/fake/api/v1/pods", TestEdge.JANE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body())
                    .contains("\"kind\":\"Status\"", "\"reason\":\"TooManyRequests\"", "\"retryAfterSeconds\":1")
                    .contains("cluster \\\"fake\\\" has 2 short calls", "limits.shortCallsPerClusterMax");
            assertThat(edge.metrics.scrape())
                    .contains("fairlead_limit_reached_total{limit=\"limits.shortCallsPerClusterMax\"} 1.0");

            call.finish();
            first.answer(false);
            ask(third, "/clusters/fake/api/v1/pods");
            fake.next().finish();
            assertThat(third.answer(false).status()).isEqualTo(200);
        }
    }

    @Test
    void shortCalls_beyondTheTotal_are429ForEveryCluster() throws Exception {
        FakeUpstream other = new FakeUpstream();
        edge.attach("other", other);
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client();
                RawClient fourth = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            ask(second, "/clusters/fake/api/v1/pods");
            ask(third, "/clusters/other/api/v1/pods");
            fake.next();
            fake.next();
            FakeUpstream.Call call = other.next();

            RawAnswer refused = fourth.get("/clusters/other/api/v1/pods", TestEdge.JANE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("the gateway has 3 short calls", "limits.shortCallsMax");

            call.finish();
            third.answer(false);
            ask(fourth, "/clusters/other/api/v1/pods");
            other.next().finish();
            assertThat(fourth.answer(false).status()).isEqualTo(200);
        }
    }

    /** Each refusal names the limit that is met: one that took a share of another would soon meet that one instead. */
    @Test
    void refusedCalls_takeNoShare() throws Exception {
        FakeUpstream other = new FakeUpstream();
        edge.attach("other", other);
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client();
                RawClient refused = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            FakeUpstream.Call call = fake.next();
            ask(second, "/clusters/fake/api/v1/pods");
            ask(third, "/clusters/other/api/v1/pods");
            fake.next();
            other.next();

            for (int i = 0; i < 5; i++) {
                assertThat(refused.get("/clusters/fake/api/v1/pods", TestEdge.JANE)
                                .body())
                        .contains("limits.shortCallsPerClusterMax");
                assertThat(refused.get("/clusters/other/api/v1/pods", TestEdge.JANE)
                                .body())
                        .contains("limits.shortCallsMax");
            }

            call.finish();
            first.answer(false);
            ask(refused, "/clusters/other/api/v1/pods");
            other.next().finish();
            assertThat(refused.answer(false).status()).isEqualTo(200);
        }
    }

    @Test
    void slowBodiesOfOneCaller_leaveRoomForOthers() throws Exception {
        edge.close();
        edge = new TestEdge(shares(8, 4, 2));
        FakeHosted dev = edge.host("dev");
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client();
                RawClient other = edge.client()) {
            String slow = "POST /clusters/dev/api/v1/namespaces/x/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Length: 2\r\n\r\n{";
            first.send(slow);
            second.send(slow);
            Await.until(() -> edge.metrics
                    .scrape()
                    .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 2.0"));

            RawAnswer refused = third.get("/clusters/dev/api/v1/pods", TestEdge.JANE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body())
                    .contains("user \\\"jane\\\" has 2 short calls in this cluster", "limits.shortCallsPerCallerMax");
            assertThat(third.get("/clusters/root/api/v1/pods", TestEdge.JANE).status())
                    .as("another cluster")
                    .isEqualTo(200);
            assertThat(other.get("/clusters/dev/api/v1/pods", TestEdge.ADMIN).status())
                    .as("another caller")
                    .isEqualTo(200);
            assertThat(edge.metrics.scrape())
                    .contains("fairlead_limit_reached_total{limit=\"limits.shortCallsPerCallerMax\"} 1.0");

            first.send("}");
            assertThat(first.answer(false).status()).isEqualTo(200);
            Await.until(() -> status(third, "/clusters/dev/api/v1/pods") == 200);
            assertThat(dev.requests()).isNotEmpty();
        }
    }

    @Test
    void watchesAndUpgrades_haveSharesOfTheirOwn() throws Exception {
        try (RawClient watching = edge.client();
                RawClient logging = edge.client();
                RawClient more = edge.client()) {
            FakeUpstream.Call watch = watchAndFollow(watching, logging);

            assertThat(more.get("/clusters/fake/api/v1/pods?watch=1", TestEdge.JANE)
                            .body())
                    .contains("limits.watchesPerClusterMax");
            assertThat(more.get("/clusters/fake/api/v1/namespaces/x/pods/y/log", TestEdge.JANE)
                            .body())
                    .contains("limits.upgradesPerClusterMax");
            watch.finish();
            watching.answer(false);
            ask(more, "/clusters/fake/api/v1/pods?watch=1");
            fake.next();
        }
    }

    @Test
    void oneCaller_doesNotTakeAllWatchesAndUpgradesOfACluster() throws Exception {
        edge.close();
        edge = new TestEdge(Limited.by(Map.of("limits.watchesPerCallerMax", 1, "limits.upgradesPerCallerMax", 1)));
        edge.attach("fake", fake);
        try (RawClient watching = edge.client();
                RawClient logging = edge.client();
                RawClient more = edge.client();
                RawClient other = edge.client()) {
            FakeUpstream.Call watch = watchAndFollow(watching, logging);

            assertThat(more.get("/clusters/fake/api/v1/pods?watch=1", TestEdge.JANE)
                            .body())
                    .contains("user \\\"jane\\\" has 1 watches in this cluster", "limits.watchesPerCallerMax");
            assertThat(more.get("/clusters/fake/api/v1/namespaces/x/pods/y/log", TestEdge.JANE)
                            .body())
                    .contains("limits.upgradesPerCallerMax");
            other.send("GET /clusters/fake/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN
                    + "\r\n\r\n");
            fake.next();
            watch.finish();
            watching.answer(false);
            ask(more, "/clusters/fake/api/v1/pods?watch=1");
            fake.next();
        }
    }

    @Test
    void watchWhoseClientLeaves_givesItsShareBack() throws Exception {
        try (RawClient watching = edge.client()) {
            ask(watching, "/clusters/fake/api/v1/pods?watch=1");
            FakeUpstream.Call call = fake.next();
            watching.leave();
            assertThat(call.event()).isEqualTo("cancel");
        }
        try (RawClient next = edge.client()) {
            ask(next, "/clusters/fake/api/v1/pods?watch=1");
            fake.next();
        }
    }

    @Test
    void callWhoseClientLeaves_countsUntilItsWorkIsDone() throws Exception {
        FakeHosted dev = edge.host("dev");
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(2);
        dev.answer(_ -> {
            working.countDown();
            await(release);
            return FakeHosted.json(200, "{}");
        });
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            String head = "POST /clusters/dev/api/v1/namespaces/x/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Length: 2\r\n\r\n{}";
            first.send(head);
            second.send(head);
            await(working);
            first.leave();
            second.leave();
            Await.until(() -> edge.metrics.scrape().contains("fairlead_client_connections{protocol=\"http1\"} 0.0"));

            assertThat(third.get("/clusters/dev/api/v1/pods", TestEdge.JANE).status())
                    .isEqualTo(429);
            release.countDown();
            Await.until(() -> status(third, "/clusters/dev/api/v1/pods") == 200);
        }
    }

    @Test
    void healthChecksAndMasters_areExempt() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient masters = edge.client(edge.pki.client("CN=root,O=system:masters"));
                RawClient third = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            ask(second, "/clusters/fake/api/v1/pods");
            fake.next();
            fake.next();
            masters.send("GET /clusters/fake/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n\r\n");
            fake.next().finish();
            assertThat(masters.answer(false).status()).isEqualTo(200);
            ask(third, "/clusters/fake/readyz");
            fake.next().finish();
            assertThat(third.answer(false).status()).isEqualTo(200);
        }
    }

    /** A caller who may enter a cluster could keep its server busy with them. */
    @Test
    void healthChecks_areExemptUpToSome_andNothingThatLooksLikeThem() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient beyond = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            ask(second, "/clusters/fake/api/v1/pods");
            fake.next();
            fake.next();

            for (String target : List.of("/clusters/fake/livez-x", "/clusters/fake/readyz/ping")) {
                assertThat(beyond.get(target, TestEdge.JANE).status())
                        .as(target)
                        .isEqualTo(429);
            }
            for (int i = 0; i < 16; i++) {
                clients.add(edge.client());
                ask(clients.getLast(), "/clusters/fake/livez");
                fake.next();
            }
            assertThat(beyond.get("/clusters/fake/livez", TestEdge.JANE).status())
                    .isEqualTo(429);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void throttledEvent_comesWithoutRetryAfter() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            ask(first, "/clusters/fake/api/v1/pods");
            ask(second, "/clusters/fake/api/v1/pods");
            fake.next();
            fake.next();

            RawAnswer refused = third.exchange(
                    "POST", "/clusters/fake/api/v1/namespaces/x/events", TestEdge.JANE, "Content-Length: 0");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEmpty();
        }
    }

    /** Next to no waiting: each call is answered or refused at once. */
    private static Configuration shares(int shortCallsMax, int perClusterMax, int perCallerMax) {
        return Limited.by(Map.of(
                "limits.shortCallsMax",
                shortCallsMax,
                "limits.shortCallsPerClusterMax",
                perClusterMax,
                "limits.shortCallsPerCallerMax",
                perCallerMax,
                "limits.queueWait",
                "1ms",
                "limits.watchesPerClusterMax",
                1,
                "limits.upgradesPerClusterMax",
                1));
    }

    /** Begins a watch, which is returned, and follows a log. */
    private FakeUpstream.Call watchAndFollow(RawClient watching, RawClient logging) throws Exception {
        ask(watching, "/clusters/fake/api/v1/pods?watch=1");
        FakeUpstream.Call watch = fake.next();
        ask(logging, "/clusters/fake/api/v1/namespaces/x/pods/y/log?follow=1");
        fake.next();
        return watch;
    }

    private static void ask(RawClient client, String target) throws Exception {
        client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
    }

    private static int status(RawClient client, String target) {
        try {
            return client.get(target, TestEdge.JANE).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
