package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.model.ClusterName;
import io.fairlead.model.HistoryMode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that name a resourceVersion of a history which their cluster no longer has. */
class RewoundRequestTest {
    private static final String PODS = "/clusters/prod/api/v1/namespaces/shop/pods";

    private TestEdge edge;
    private FakeUpstream upstream;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        upstream = new FakeUpstream();
        edge.register(new ClusterEntry.Attached(
                new ClusterName("prod"),
                new ClusterEntry.Backend(
                        upstream,
                        List.of(URI.create("https://upstream.test")),
                        new UpstreamIdentity.Impersonate(false, Set.of())),
                null,
                _ -> {},
                new HistoryModes(null, Map.of("leases.coordination.k8s.io", HistoryMode.OBSERVE))));
        edge.histories.say("1000", NamedRevision.ABOVE_HEAD);
        edge.histories.say("700", NamedRevision.REWOUND);
        edge.histories.say("600", NamedRevision.REUSED);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?resourceVersion=1000",
                "?watch=1&resourceVersion=1000",
                "?watch=1&resourceVersion=700&allowWatchBookmarks=true",
                "/web-0?resourceVersion=700"
            })
    void versionOfAnEndedHistory_is410_andTheClusterIsNotAsked(String rest) throws Exception {
        try (RawClient client = edge.client()) {
            RawClient.RawAnswer answer = client.get(PODS + rest, TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(410);
            assertThat(answer.body())
                    .contains("\"reason\":\"Expired\"", "\"HistoryRewound\"")
                    .contains("too old resource version: " + (rest.contains("1000") ? "1000" : "700"))
                    .contains("history of cluster \\\"prod\\\" was rewound");
        }
        assertThat(upstream.isAsked()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?watch=1",
                "?watch=1&resourceVersion=600",
                "?watch=1&resourceVersion=5",
                "?resourceVersion=0",
                "?resourceVersion="
            })
    void anyOtherRequest_isForwarded(String rest) throws Exception {
        assertForwarded("GET " + PODS + rest);
    }

    @Test
    void versionsOfOtherStores_andOfWrites_areNotJudged() throws Exception {
        assertForwarded("GET /clusters/prod/api/v1/events?watch=1&resourceVersion=1000");
        assertForwarded("GET /clusters/prod/apis/events.k8s.io/v1/events?watch=1&resourceVersion=1000");
        assertForwarded("GET " + PODS + "/web-0/proxy/api/v1/pods?watch=1&resourceVersion=1000");
        assertForwarded("GET /clusters/prod/api/v1/namespaces/shop/services/web/proxy?resourceVersion=1000");
        assertForwarded("DELETE " + PODS + "?resourceVersion=1000");
        assertForwarded("GET /clusters/prod/version?resourceVersion=1000");
        assertThat(edge.histories.asked).isEmpty();
    }

    /** Its versions may be of an etcd of its own. */
    @Test
    void versionsOfAResourceThatIsOnlyObserved_areNotJudged() throws Exception {
        assertForwarded("GET /clusters/prod/apis/coordination.k8s.io/v1/leases?watch=1&resourceVersion=1000");
    }

    @Test
    void request_waitsForTheCluster_ifThatHasToBeAsked() throws Exception {
        CompletableFuture<NamedRevision> late = new CompletableFuture<>();
        CompletableFuture<NamedRevision> refused = new CompletableFuture<>();
        edge.histories.answers.put("800", late);
        edge.histories.answers.put("900", refused);
        try (RawClient client = edge.client();
                RawClient other = edge.client()) {
            client.send(request("GET " + PODS + "?watch=1&resourceVersion=800"));
            other.send(request("GET " + PODS + "?watch=1&resourceVersion=900"));
            edge.histories.awaitAsked(2);
            assertThat(upstream.isAsked()).isFalse();

            refused.complete(NamedRevision.ABOVE_HEAD);
            assertThat(other.head().status()).isEqualTo(410);
            late.complete(NamedRevision.CURRENT);
            upstream.next().answer(200, "content-type: application/json");

            assertThat(client.head().status()).isEqualTo(200);
        }
    }

    @Test
    void listsAndWatches_nameTheEpochOfTheirVersions_inPlaceOfTheClustersOwn() throws Exception {
        edge.index.open(new ClusterName("prod"), Set.of(HolderType.CRD), 3);

        assertThat(epoch("GET " + PODS)).isEqualTo("3");
        assertThat(epoch("GET " + PODS + "?watch=1")).isEqualTo("3");
        assertThat(epoch("GET " + PODS + "/web-0")).isEmpty();
        try (RawClient client = edge.client()) {
            assertThat(client.get("/api/v1/namespaces/default/pods", TestEdge.JANE)
                            .header("fairlead-history-epoch"))
                    .as("of the root cluster")
                    .isEqualTo("1");
        }
    }

    private String epoch(String line) throws Exception {
        try (RawClient client = edge.client()) {
            client.send(request(line));
            upstream.next().answer(200, "content-type: application/json", "fairlead-history-epoch: of the cluster");
            return client.head().header("fairlead-history-epoch");
        }
    }

    private void assertForwarded(String line) throws Exception {
        try (RawClient client = edge.client()) {
            client.send(request(line));
            upstream.next().answer(200, "content-type: application/json");
            assertThat(client.head().status()).isEqualTo(200);
        }
    }

    private static String request(String line) {
        return line + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n";
    }
}
