package io.fairlead.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.gateway.own.Health;
import io.fairlead.gateway.own.Probes;
import io.fairlead.gateway.own.Scrape;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A plain HTTP listener for {@code /metrics}, {@code /livez} and {@code /readyz}, meant for the loopback interface.
 *
 * <p>Metrics come in the Prometheus text format, or in OpenMetrics to those that accept it.
 */
public final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int THREADS_MAX = 4;
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final InetSocketAddress bindAddress;
    private final PrometheusMeterRegistry registry;
    private final Probes probes;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS_MAX, Thread.ofPlatform().daemon().name("metrics-", 0).factory());
    private @Nullable HttpServer server;

    public MetricsServer(InetSocketAddress bindAddress, PrometheusMeterRegistry registry, Health health) {
        this.bindAddress = bindAddress;
        this.registry = registry;
        this.probes = new Probes(health);
    }

    /**
     * Listens.
     *
     * @return the bound address
     * @throws IOException naming the address if it is taken or not ours
     */
    public InetSocketAddress start() throws IOException {
        try {
            HttpServer listening = HttpServer.create(bindAddress, BACKLOG);
            listening.setExecutor(threads);
            listening.createContext("/", this::answer);
            listening.start();
            server = listening;
            return listening.getAddress();
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + bindAddress.getHostString() + ":" + bindAddress.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        HttpServer listening = server;
        if (listening != null) {
            listening.stop(0);
        }
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/metrics")) {
                metrics(exchange);
            } else if (path.startsWith("/livez") || path.startsWith("/readyz") || path.equals("/healthz")) {
                String query = exchange.getRequestURI().getRawQuery();
                Probes.Answer answer = probes.answer(path, query == null ? "" : query);
                write(exchange, answer.code(), PLAIN, answer.text().getBytes(UTF_8));
            } else {
                write(exchange, 404, PLAIN, "404 page not found\n".getBytes(UTF_8));
            }
        }
    }

    private void metrics(HttpExchange exchange) throws IOException {
        Scrape scrape = Scrape.of(registry, exchange.getRequestHeaders().getFirst("Accept"));
        write(exchange, 200, scrape.contentType(), scrape.body());
    }

    private static void write(HttpExchange exchange, int code, String contentType, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        boolean headOnly = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, headOnly ? -1 : bytes.length);
        if (!headOnly) {
            exchange.getResponseBody().write(bytes);
        }
    }
}
