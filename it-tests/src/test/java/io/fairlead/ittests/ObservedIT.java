package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators see of a server's requests: the spans that a collector gets, and who uses what now. */
final class ObservedIT {
    private static final Path FOLDER = Checkout.scratch("ObservedIT");
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Queue<String> EXPORTS = new ConcurrentLinkedQueue<>();

    private static final HttpServer COLLECTOR = collector();
    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);
    private static HttpProbe root = HttpProbe.withToken("https://localhost", "token-of-root");
    private static HttpProbe ann = HttpProbe.withToken("https://localhost", "token-of-ann");

    @BeforeAll
    static void start() {
        List<KubeCluster.User> users = List.of(
                new KubeCluster.User("token-of-root", "root", "0", "system:masters"),
                new KubeCluster.User("token-of-ann", "ann", "1", "crew"));
        fairlead = FairleadProcess.start(
                FOLDER,
                "--token-auth-file",
                FairleadUsers.tokenFile(FOLDER, users).toString(),
                "--tracing-endpoint",
                "http://127.0.0.1:" + COLLECTOR.getAddress().getPort(),
                "--tracing-sampling-rate-per-million",
                "0");
        root = HttpProbe.withToken(fairlead.endpoint(), "token-of-root");
        ann = HttpProbe.withToken(fairlead.endpoint(), "token-of-ann");
        Output created = fairlead.command("cluster", "create", "dev");
        assertThat(created.exitCode()).as("%s", created).isZero();
    }

    /** Takes what it gets. */
    private static HttpServer collector() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/v1/traces", exchange -> {
                EXPORTS.add(new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    static void stop() {
        root.close();
        ann.close();
        fairlead.close();
        COLLECTOR.stop(0);
    }

    @Test
    void requestOfATracedClient_comesToTheCollector() throws Exception {
        String maps = "/clusters/dev/api/v1/namespaces/default/configmaps";
        assertThat(root.get(maps, Map.of("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01"))
                        .status())
                .isEqualTo(200);

        String trace = new String(HexFormat.of().parseHex(TRACE), ISO_8859_1);
        Await.until("its span is there", SOON, () -> EXPORTS.stream().anyMatch(export -> export.contains(trace)));
        assertThat(String.join("", EXPORTS))
                .contains("GET /api/v1/namespaces/{namespace}/configmaps", "k8s.cluster.name", "dev")
                .doesNotContain("token-of-root", "default");
    }

    @Test
    void top_showsWhoUsesWhat_andOthersThemselvesAlone() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(root.get("/clusters/dev/api/v1/namespaces").status()).isEqualTo(200);
        }
        Output table = fairlead.command("top", "-c", "dev");
        assertThat(table.exitCode()).as("%s", table).isZero();
        assertThat(table.output()).contains("CLUSTER", "REQ/S", "CALLER", "dev").containsPattern("dev +root +\\d");

        Output json = fairlead.command("top", "-o", "json", "--interval", "0.2");
        JsonObject report = JsonParser.parseString(json.output()).getAsJsonObject();
        assertThat(report.getAsJsonArray("callers").toString()).contains("\"caller\":\"root\"");
        assertThat(report.getAsJsonArray("clusters").toString()).contains("\"cluster\":\"dev\"", "requestsPerSecond");

        String ofAnn = ann.get("/fairlead/v1/usage").body();
        assertThat(ofAnn).doesNotContain("root", "dev").contains("\"callersTotal\":0");
    }
}
