package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.metrics.MetricsServer;
import io.fairlead.gateway.metrics.UpstreamMeters;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.EndpointReport;
import io.fairlead.net.UpstreamFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is counted of requests and connections, as Prometheus reads it. */
class RequestMetricsTest {
    private TestEdge edge;
    private FakeHosted dev;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        dev = edge.host("dev");
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void requests_areCountedByWhatTheyAskFor() throws Exception {
        try (RawClient client = edge.client()) {
            for (int i = 0; i < 3; i++) {
                client.get("/clusters/dev/apis/example.com/v1/namespaces/x/bars/y", TestEdge.JANE);
            }
            dev.answer(_ -> FakeHosted.json(404, "{}"));
            client.get("/clusters/dev/apis/example.com/v1/unheard-of", TestEdge.JANE);
            client.get("/clusters/nowhere/api", TestEdge.JANE);
            client.get("/clusters/dev/api");
        }

        assertThat(edge.metrics.scrape())
                .contains(
                        "apiserver_request_total{cluster=\"dev\",code=\"200\",group=\"example.com\",resource=\"bars\","
                                + "scope=\"resource\",subresource=\"\",verb=\"get\",version=\"v1\"} 3.0")
                .contains("apiserver_request_total{cluster=\"dev\",code=\"404\",group=\"\",resource=\"other\","
                        + "scope=\"cluster\",subresource=\"\",verb=\"list\",version=\"\"} 1.0")
                .contains("apiserver_request_duration_seconds_count{cluster=\"dev\",group=\"example.com\",")
                .contains("apiserver_current_inflight_requests{request_kind=\"readOnly\"} 0.0")
                .contains("fairlead_client_connections_opened_total{protocol=\"http1\"} 1.0")
                .doesNotContain("unheard-of")
                .doesNotContain("nowhere");
    }

    @Test
    void missingObjectOfAServedResource_isCountedAsThatResource() throws Exception {
        dev.answer(_ -> FakeHosted.json(404, "{}"));
        try (RawClient client = edge.client()) {
            client.get("/clusters/dev/api/v1/namespaces/x/configmaps/y", TestEdge.JANE);
            client.get("/clusters/dev/api/v1/namespaces/x/configmaps/y/made-up", TestEdge.JANE);
        }

        assertThat(edge.metrics.scrape())
                .contains("code=\"404\",group=\"\",resource=\"configmaps\",scope=\"resource\",subresource=\"\"")
                .doesNotContain("made-up");
    }

    @Test
    void openWatch_isLongRunning() throws Exception {
        FakeUpstream fake = new FakeUpstream();
        edge.attach("fake", fake);
        try (RawClient client = edge.client()) {
            client.send("GET /clusters/fake/api/v1/pods?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\n\r\n");
            FakeUpstream.Call call = fake.next();
            call.answer(200);
            client.head();
            assertThat(edge.metrics.scrape()).contains(longRunning(1));

            call.tell(() -> call.receiver().onEnd());
            client.chunk();
            assertThat(edge.metrics.scrape()).contains(longRunning(0));
        }
    }

    @Test
    void seriesOfARemovedCluster_vanish() throws Exception {
        try (RawClient client = edge.client()) {
            client.get("/clusters/dev/api/v1/pods", TestEdge.JANE);
            assertThat(edge.metrics.scrape()).contains("cluster=\"dev\"");

            edge.remove("dev");
            client.get("/clusters/dev/api/v1/pods", TestEdge.JANE);
            assertThat(edge.metrics.scrape()).doesNotContain("cluster=\"dev\"");
        }
    }

    @Test
    void metricsServer_answersMetricsAndProbes() throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (MetricsServer server = new MetricsServer(anyPort, edge.metrics, edge.health, Duration.ofSeconds(10));
                HttpClient client = HttpClient.newHttpClient()) {
            String base = "http://127.0.0.1:" + server.start().getPort();

            assertThat(get(client, base + "/metrics").body()).contains("# TYPE fairlead_client_connections gauge");
            assertThat(get(client, base + "/readyz").statusCode()).isEqualTo(200);
            edge.health.shutDown();
            assertThat(get(client, base + "/readyz").statusCode()).isEqualTo(500);
            assertThat(get(client, base + "/livez").statusCode()).isEqualTo(200);
            assertThat(get(client, base + "/readyz?exclude=shutdown").statusCode())
                    .isEqualTo(200);
            assertThat(get(client, base + "/other").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void metricsOnTheSecurePort_needTheRightToReadThem() throws Exception {
        edge.root.allow((user, request) -> user.name().equals("jane")
                && request.verb().equals("get")
                && request.path().equals("/metrics"));
        try (RawClient client = edge.client()) {
            RawClient.RawAnswer allowed = client.get("/metrics", TestEdge.JANE);
            assertThat(allowed.status()).isEqualTo(200);
            assertThat(allowed.header("content-type")).startsWith("text/plain; version=0.0.4");
            assertThat(allowed.body()).contains("# TYPE fairlead_client_connections gauge");
            assertThat(client.get("/metrics", TestEdge.JANE, "Accept: application/openmetrics-text")
                            .body())
                    .endsWith("# EOF\n");
            assertThat(client.get("/metrics", TestEdge.ADMIN).status()).isEqualTo(200);
            assertThat(client.exchange("HEAD", "/metrics", TestEdge.ADMIN).status())
                    .isEqualTo(200);
            assertThat(client.exchange("DELETE", "/metrics", TestEdge.ADMIN).status())
                    .isEqualTo(405);
            assertThat(client.get("/metrics").status()).isEqualTo(401);

            edge.root.allow((_, _) -> false);
            RawClient.RawAnswer denied = client.get("/metrics", TestEdge.JANE);
            assertThat(denied.status()).isEqualTo(403);
            assertThat(denied.body()).contains("User \\\"jane\\\" cannot get path \\\"/metrics\\\"");
        }
    }

    @Test
    void connectionsToClusters_areCountedUntilTheClusterIsGone() {
        UpstreamMeters meters = new UpstreamMeters(edge.metrics);
        ConnectionMetrics prod = meters.of(new ClusterName("prod"));
        prod.opened("h2");
        prod.opened("h2");
        prod.closed("h2");
        prod.failed(UpstreamFailure.Kind.CONNECT);

        assertThat(edge.metrics.scrape())
                .contains("fairlead_upstream_connections{cluster=\"prod\",protocol=\"h2\"} 1.0")
                .contains("fairlead_upstream_connections_opened_total{cluster=\"prod\",protocol=\"h2\"} 2.0")
                .contains("fairlead_upstream_connections_failed_total{cluster=\"prod\",reason=\"connect\"} 1.0");

        meters.forget(new ClusterName("prod"));
        prod.closed("h2");
        prod.failed(UpstreamFailure.Kind.CONNECT);
        assertThat(edge.metrics.scrape()).doesNotContain("cluster=\"prod\"");
    }

    @Test
    void endpointsOfClusters_areShownUntilTheyAreNamedNoMore() {
        UpstreamMeters meters = new UpstreamMeters(edge.metrics);
        ConnectionMetrics prod = meters.of(new ClusterName("prod"));
        prod.resent();
        prod.endpoints(List.of(ready("https://a"), unready("https://b")));
        assertThat(edge.metrics.scrape())
                .contains("fairlead_upstream_endpoint_ready{cluster=\"prod\",endpoint=\"https://a\"} 1.0")
                .contains("fairlead_upstream_endpoint_ready{cluster=\"prod\",endpoint=\"https://b\"} 0.0")
                .contains("fairlead_upstream_requests_resent_total{cluster=\"prod\"} 1.0");

        prod.endpoints(List.of(ready("https://b")));
        assertThat(edge.metrics.scrape())
                .contains("fairlead_upstream_endpoint_ready{cluster=\"prod\",endpoint=\"https://b\"} 1.0")
                .doesNotContain("https://a");

        meters.forget(new ClusterName("prod"));
        prod.endpoints(List.of(unready("https://c")));
        assertThat(edge.metrics.scrape()).doesNotContain("cluster=\"prod\"");
    }

    private static EndpointReport ready(String url) {
        return new EndpointReport(url, new EndpointReport.Ready(EndpointReport.Evidence.READYZ));
    }

    private static EndpointReport unready(String url) {
        return new EndpointReport(url, new EndpointReport.Unready(500));
    }

    private static HttpResponse<String> get(HttpClient client, String uri) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String longRunning(int count) {
        return "apiserver_longrunning_requests{cluster=\"fake\",group=\"\",resource=\"pods\",scope=\"cluster\","
                + "subresource=\"\",verb=\"watch\",version=\"v1\"} " + count + ".0";
    }
}
