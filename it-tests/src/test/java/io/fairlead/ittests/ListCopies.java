package io.fairlead.ittests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands for many API servers that are equal: a page of a list is asked of a real one once and then given to everybody at once,
 * as each of the many would give it with processors of its own. Everything else, watches too, goes to the real one.
 */
final class ListCopies implements AutoCloseable {
    private static final List<String> FORWARDED = List.of("Accept", "Authorization", "Content-Type");

    private final Path folder;
    private final String upstream;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Over HTTP/1.1: an API server allows fewer streams on one connection than there are watches. */
    private final HttpClient client = HttpClient.newBuilder()
            .sslContext(TrustEveryone.context())
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final ConcurrentMap<String, CompletableFuture<HttpResponse<byte[]>>> pages = new ConcurrentHashMap<>();

    /** Before a server; its key and certificate lie in a folder. */
    static ListCopies start(Path folder, String upstream) {
        try {
            return new ListCopies(folder, upstream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private ListCopies(Path folder, String upstream) throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.upstream = upstream;
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setHttpsConfigurator(new HttpsConfigurator(RecordingRelay.serverContext(folder)));
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    Path caFile() {
        return RecordingRelay.caFile(folder);
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest request = request(exchange);
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            boolean isPage = query.contains("limit=") && !query.contains("watch=");
            if (isPage) {
                HttpResponse<byte[]> page = pages.computeIfAbsent(
                                exchange.getRequestURI().toString(),
                                _ -> client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
                        .join();
                begin(exchange, page, page.body().length);
                exchange.getResponseBody().write(page.body());
            } else {
                pass(exchange, client.send(request, HttpResponse.BodyHandlers.ofInputStream()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(upstream + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (FORWARDED.stream().anyMatch(name::equalsIgnoreCase) || name.startsWith("Impersonate-")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static void pass(HttpExchange exchange, HttpResponse<InputStream> response) throws IOException {
        try (InputStream from = response.body()) {
            begin(exchange, response, 0);
            OutputStream to = exchange.getResponseBody();
            byte[] buffer = new byte[16 * 1024];
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.write(buffer, 0, count);
                to.flush();
            }
        }
    }

    private static void begin(HttpExchange exchange, HttpResponse<?> response, long length) throws IOException {
        response.headers()
                .firstValue("content-type")
                .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
        exchange.sendResponseHeaders(response.statusCode(), length);
    }
}
