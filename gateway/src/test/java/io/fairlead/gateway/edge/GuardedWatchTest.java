package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.model.ClusterName;
import io.fairlead.model.HistoryMode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches of attached clusters whose servers send what they should not. */
class GuardedWatchTest {
    private static final String PODS = "/clusters/prod/api/v1/pods?watch=1&resourceVersion=4";
    private static final String A5 = event("ADDED", "a", "5");
    private static final String C7 = event("ADDED", "c", "7");

    private TestEdge edge;
    private FakeUpstream upstream;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        upstream = new FakeUpstream();
        register(null, Map.of());
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void staleDelete_overHttp1_comesWithTheHighWaterMark() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS);
            call.data(A5 + C7);
            assertThat(client.chunk()).isEqualTo(A5 + C7);
            call.data(event("DELETED", "a", "5"));
            assertThat(client.chunk() + client.chunk()).isEqualTo(event("DELETED", "a", "7"));
            call.data(event("ADDED", "d", "8"));
            assertThat(client.chunk()).isEqualTo(event("ADDED", "d", "8"));
        }
        assertThat(counted("stale_delete")).isEqualTo(1);
    }

    @Test
    void olderState_overHttp1_endsTheWatchWith410_andTheCallToTheCluster() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS);
            call.data(C7 + event("MODIFIED", "c", "6"));

            assertThat(client.chunk()).isEqualTo(C7);
            assertThat(client.chunk()).contains("\"type\":\"ERROR\"", "\"reason\":\"Expired\"", "WatchWentBackwards");
            assertThat(client.chunk()).isEmpty();
            assertThat(call.event()).isEqualTo("cancel");
        }
        assertThat(counted("rewind")).isEqualTo(1);
    }

    @Test
    void olderState_overHttp2_endsTheWatchWith410() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            var stream = client.open(RawHttp2Client.head("GET", PODS).add("authorization", "Bearer jane-token"), true);
            FakeUpstream.Call call = upstream.next();
            call.answer(200, "content-type: application/json");
            assertThat(stream.next()).isEqualTo("head 200");
            call.data(C7 + event("DELETED", "a", "5").strip());
            assertThat(stream.next() + stream.next())
                    .isEqualTo(
                            "data " + C7 + "data " + event("DELETED", "a", "7").strip());
            call.data(event("ADDED", "b", "6"));

            assertThat(stream.next()).startsWith("data \n{\"type\":\"ERROR\"").contains("WatchWentBackwards");
            assertThat(stream.next()).isEqualTo("end");
        }
    }

    @Test
    void observedWatch_isForwardedAsItIs_andCounted() throws Exception {
        register(HistoryMode.OBSERVE, Map.of());
        try (RawClient client = edge.client()) {
            String travelling = C7 + event("DELETED", "a", "5") + event("MODIFIED", "c", "6");
            watch(client, PODS).data(travelling);

            assertThat(client.chunk()).isEqualTo(travelling);
        }
        assertThat(counted("stale_delete")).isEqualTo(1);
        assertThat(counted("rewind")).isEqualTo(1);
    }

    @Test
    void mode_ofAnOpenWatch_changesWithTheRegistration() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS);
            register(HistoryMode.ENFORCE, Map.of("pods", HistoryMode.OBSERVE));
            call.data(C7 + event("DELETED", "a", "5"));
            assertThat(client.chunk()).isEqualTo(C7 + event("DELETED", "a", "5"));

            register(HistoryMode.OBSERVE, Map.of("pods", HistoryMode.ENFORCE, "pods.x.io", HistoryMode.OFF));
            call.data(event("DELETED", "b", "6"));
            assertThat(client.chunk() + client.chunk()).isEqualTo(event("DELETED", "b", "7"));
        }
    }

    @Test
    void unguardedWatches_areCountedWhileTheyAreOpen() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS, "content-type: application/json", "content-encoding: gzip");
            call.data("\u001f\u008bxyz");
            client.chunk();
            assertThat(edge.metrics.scrape()).contains("fairlead_unguarded_streams{cluster=\"prod\"} 1.0");
            call.tell(() -> call.receiver().onEnd());
            client.chunk();
        }
        assertThat(edge.metrics.scrape()).contains("fairlead_unguarded_streams{cluster=\"prod\"} 0.0");

        edge.remove("prod");
        assertThat(edge.metrics.scrape())
                .doesNotContain("cluster=\"prod\",kind=", "unguarded_streams{cluster=\"prod\"}");
    }

    @Test
    void lastEventWithoutItsEnd_isForwardedWithTheEndOfTheStream() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS);
            call.data(C7 + "{\"type\":");
            assertThat(client.chunk()).isEqualTo(C7);
            call.tell(() -> call.receiver().onEnd());
            assertThat(client.chunk()).isEqualTo("{\"type\":");
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void rewoundHistory_endsOpenWatchesOfItsCluster_andThoseThatWereOnTheirWay() throws Exception {
        try (RawClient open = edge.client();
                RawClient starting = edge.client();
                RawClient later = edge.client()) {
            FakeUpstream.Call call = watch(open, PODS);
            starting.send("GET " + PODS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call onItsWay = upstream.next();
            edge.histories.rewind("staging");
            call.data(C7);
            assertThat(open.chunk()).isEqualTo(C7);

            edge.histories.rewind("prod");
            assertThat(open.chunk()).contains("\"type\":\"ERROR\"", "\"code\":410", "\"reason\":\"HistoryRewound\"");
            assertThat(open.chunk()).isEmpty();
            assertThat(call.event()).isEqualTo("cancel");
            onItsWay.answer(200, "content-type: application/json");
            assertThat(starting.head().status()).isEqualTo(200);
            assertThat(starting.chunk()).contains("HistoryRewound");
            assertThat(starting.chunk()).isEmpty();

            watch(later, PODS).data(C7);
            assertThat(later.chunk()).isEqualTo(C7);
        }
    }

    /** The event that is held comes again to the client that resumes. */
    @Test
    void drain_endsAWatchOfWhichHalfAnEventIsHeld() throws Exception {
        try (RawClient client = edge.client()) {
            FakeUpstream.Call call = watch(client, PODS);
            call.data(C7 + "{\"type\":");
            assertThat(client.chunk()).isEqualTo(C7);
            Thread draining = Thread.ofVirtual().start(() -> {
                try {
                    edge.server.drain(Duration.ZERO, Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(client.chunk()).isEmpty();
            assertThat(call.event()).isEqualTo("cancel");
            draining.join();
        }
    }

    /** A refusal of a watch has a body that is no event. */
    @Test
    void refusedWatch_isForwardedAsItIs() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("GET " + PODS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = upstream.next();
            call.answer(410, "content-type: application/json");
            call.data("{\"kind\":\"Sta");
            assertThat(client.head().status()).isEqualTo(410);
            assertThat(client.chunk()).isEqualTo("{\"kind\":\"Sta");
        }
    }

    private FakeUpstream.Call watch(RawClient client, String target, String... headers)
            throws IOException, InterruptedException {
        client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
        FakeUpstream.Call call = upstream.next();
        call.answer(200, headers.length == 0 ? new String[] {"content-type: application/json"} : headers);
        assertThat(client.head().status()).isEqualTo(200);
        return call;
    }

    private long counted(String kind) {
        String series = "fairlead_time_travel_total{cluster=\"prod\",kind=\"" + kind + "\"} ";
        String scraped = edge.metrics.scrape();
        int at = scraped.indexOf(series) + series.length();
        return Math.round(Double.parseDouble(scraped.substring(at, scraped.indexOf('\n', at))));
    }

    private void register(@Nullable HistoryMode ofCluster, Map<String, HistoryMode> ofResources) {
        edge.register(new ClusterEntry.Attached(
                new ClusterName("prod"),
                new ClusterEntry.Backend(
                        upstream,
                        List.of(URI.create("https://upstream.test")),
                        new UpstreamIdentity.Impersonate(false, Set.of())),
                null,
                _ -> {},
                new HistoryModes(ofCluster, ofResources)));
    }

    private static String event(String type, String name, String version) {
        return "{\"type\":\"" + type + "\",\"object\":{\"metadata\":{\"name\":\"" + name + "\",\"resourceVersion\":\""
                + version + "\"}}}\n";
    }
}
