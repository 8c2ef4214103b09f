package io.fairlead.ittests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A plain HTTP server that passes every request on with further headers, for clients that cannot be told to send them. */
final class HeaderForwarder implements AutoCloseable {
    private static final Set<String> OF_ONE_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade", ":status");

    private final String to;
    private final Map<String, String> headers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(TrustEveryone.context()).build();

    private HeaderForwarder(String to, Map<String, String> headers) throws IOException {
        this.to = to;
        this.headers = headers;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::forward);
    }

    /** Forwards to a URL without a path. */
    static HeaderForwarder start(String to, Map<String, String> headers) {
        try {
            var forwarder = new HeaderForwarder(to, headers);
            forwarder.server.start();
            return forwarder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
        server.stop(0);
        threads.close();
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<InputStream> answer =
                    client.send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
            answer.headers().map().forEach((field, values) -> {
                if (!OF_ONE_CONNECTION.contains(field.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(field, values);
                }
            });
            long length = answer.headers().firstValueAsLong("content-length").orElse(0);
            exchange.sendResponseHeaders(answer.statusCode(), isBodiless(exchange, answer) ? -1 : length);
            exchange.getResponseBody().flush(); // The head of a watch must not wait for its first event.
            copy(answer.body(), exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isBodiless(HttpExchange exchange, HttpResponse<InputStream> answer) {
        return exchange.getRequestMethod().equals("HEAD") || answer.statusCode() == 204 || answer.statusCode() == 304;
    }

    /** Each piece at once: a watch must not wait for more. */
    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        try (from) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.write(buffer, 0, count);
                to.flush();
            }
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(to + exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((field, values) -> add(request, field, values));
        headers.forEach(request::header);
        return request.build();
    }

    private static void add(HttpRequest.Builder request, String field, List<String> values) {
        if (!OF_ONE_CONNECTION.contains(field.toLowerCase(Locale.ROOT))) {
            values.forEach(text -> request.header(field, text));
        }
    }
}
