package io.fairlead.gateway.metrics;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.gateway.admin.Health;
import io.fairlead.gateway.listen.BindFailure;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The plain listener of metrics and probes, and what unknown clients do to it. */
class MetricsServerTest {
    private static final int CONNECTIONS_MAX = 64;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<Socket> clients = new ArrayList<>();
    private MetricsServer server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        start(LONG);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    /** RFC 5737 keeps this address for documentation. */
    @Test
    void addressOfAnotherMachine_isNamed_withWhatToDo() {
        try (MetricsServer elsewhere =
                new MetricsServer(new InetSocketAddress("192.0.2.1", 9464), metrics, new Health(List.of()), LONG)) {
            assertThatThrownBy(elsewhere::start)
                    .isInstanceOfSatisfying(
                            BindFailure.class,
                            failure -> assertThat(failure.hint())
                                    .contains("with --metrics-address;")
                                    .doesNotContain("--bind-address"))
                    .hasMessage("cannot listen on 192.0.2.1:9464: it is not an address of this machine");
        }
    }

    @Test
    void addressThatIsTaken_isNamed_withWhatToDo() {
        try (MetricsServer second = new MetricsServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), metrics, new Health(List.of()), LONG)) {
            assertThatThrownBy(second::start)
                    .isInstanceOfSatisfying(
                            BindFailure.class,
                            failure -> assertThat(failure.hint())
                                    .isEqualTo("stop what listens there, or choose another with --metrics-address"))
                    .hasMessage("cannot listen on localhost:" + port + ": Address already in use");
        }
    }

    @Test
    void halfHeads_keepNobodyFromAProbe() throws Exception {
        for (int i = 0; i < CONNECTIONS_MAX - 1; i++) {
            send(client(), "GET /livez HTTP/1.1\r\nHost: x\r\nX-Half: ");
        }
        Socket probing = client();
        send(probing, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(answer(probing)).startsWith("HTTP/1.1 200 OK\r\n");
    }

    @Test
    void connectionsBeyondTheLimit_takeThePlaceOfTheOldest() throws Exception {
        Socket oldest = client();
        for (int i = 0; i < CONNECTIONS_MAX; i++) {
            client();
        }
        assertThat(oldest.getInputStream().read()).isNegative();

        Socket probing = client();
        send(probing, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(answer(probing)).startsWith("HTTP/1.1 200 OK\r\n");
    }

    @Test
    void manyConnectionsOfOneAddress_pushOutNoneOfAnother() throws Exception {
        Socket scraper = clientFrom("127.0.0.2");
        for (int i = 0; i < 2 * CONNECTIONS_MAX; i++) {
            client();
        }

        send(scraper, request("GET /metrics"));
        assertThat(answer(scraper)).startsWith("HTTP/1.1 200 OK\r\n");
    }

    @Test
    void requestThatIsNotComplete_isClosedInTheEnd() throws Exception {
        restart(Duration.ofMillis(200));
        Socket half = client();
        send(half, "GET /livez HTTP/1.1\r\n");

        assertThat(half.getInputStream().read()).isNegative();
    }

    @Test
    void headThatIsTooLarge_is400() throws Exception {
        Socket large = client();
        send(large, "GET /livez HTTP/1.1\r\nHost: x\r\nX-Large: " + "x".repeat(20_000));

        assertThat(answer(large)).startsWith("HTTP/1.1 400 Bad Request\r\n");
    }

    @Test
    void severalRequests_ofOneConnection_areAnsweredInOrder() throws Exception {
        Socket client = client();
        send(client, request("GET /metrics") + request("GET /nowhere", "Connection: close"));

        String answers = new String(client.getInputStream().readAllBytes(), US_ASCII);
        assertThat(answers).startsWith("HTTP/1.1 200 OK\r\n").contains("404 page not found");
        assertThat(answers.indexOf("HTTP/1.1 404")).isPositive();
    }

    @Test
    void head_hasNoBody_andOtherMethodsAre405() throws Exception {
        Socket client = client();
        send(client, request("HEAD /livez") + request("POST /livez", "Connection: close"));

        String answers = new String(client.getInputStream().readAllBytes(), US_ASCII);
        assertThat(answers).startsWith("HTTP/1.1 200 OK\r\n").contains("\r\n\r\nHTTP/1.1 405 ");
    }

    @Test
    void scrapeThatMeetsAnError_is500_andTheNextOneIsAnswered() throws Exception {
        AtomicInteger errors = new AtomicInteger(1);
        metrics.getPrometheusRegistry().register((Collector) () -> {
            if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("of the test");
            }
            return CounterSnapshot.builder().name("test").build();
        });
        Socket unlucky = client();
        send(unlucky, request("GET /metrics"));
        assertThat(new String(unlucky.getInputStream().readAllBytes(), US_ASCII))
                .startsWith("HTTP/1.1 500 ")
                .endsWith("500 metrics could not be collected\n");

        Socket next = client();
        send(next, request("GET /metrics"));
        assertThat(answer(next)).startsWith("HTTP/1.1 200 OK\r\n");
    }

    private void restart(Duration patience) throws IOException {
        server.close();
        start(patience);
    }

    private void start(Duration patience) throws IOException {
        server = new MetricsServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), metrics, new Health(List.of()), patience);
        port = server.start().getPort();
    }

    private Socket client() throws IOException {
        return clientFrom("127.0.0.1");
    }

    private Socket clientFrom(String address) throws IOException {
        Socket client = new Socket();
        client.bind(new InetSocketAddress(address, 0));
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        client.setSoTimeout(TIMEOUT_MILLIS);
        clients.add(client);
        return client;
    }

    private static String request(String line, String... fields) {
        return line + " HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n")
                + "\r\n";
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static String answer(Socket client) throws IOException {
        return new String(client.getInputStream().readNBytes(32), US_ASCII);
    }
}
