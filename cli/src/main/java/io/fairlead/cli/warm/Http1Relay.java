package io.fairlead.cli.warm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.cli.server.ClientTls;
import io.fairlead.credentials.kubeconfig.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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

/**
 * An API server that speaks HTTP/1.1 only, in front of one that speaks HTTP/2 as well: every caller is its
 * administrator's, and what they send and get is passed on.
 *
 * <p>Threads: a virtual one for each request.
 */
final class Http1Relay implements AutoCloseable {
    private static final Set<String> NOT_PASSED_ON =
            Set.of("authorization", "connection", "content-length", "host", "transfer-encoding", "upgrade");
    private static final int BUFFER_BYTES = 65_536;

    private final HttpsServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;
    private final URI target;

    private Http1Relay(HttpsServer server, HttpClient http, URI target) {
        this.server = server;
        this.http = http;
        this.target = target;
        server.setExecutor(requests);
        server.createContext("/", this::pass);
        server.start();
    }

    /**
     * On a free port of the loopback interface.
     *
     * @param serving the certificate and key to serve with, as if they were a client's
     */
    static Http1Relay to(Target admin, Target serving) throws IOException, ClientTls.UnusableException {
        HttpClient http =
                HttpClient.newBuilder().sslContext(ClientTls.context(admin)).build();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(ClientTls.context(serving)));
        return new Http1Relay(server, http, admin.server());
    }

    String origin() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<InputStream> answer = http.send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream in = answer.body();
                    OutputStream out = begin(exchange, answer)) {
                byte[] buffer = new byte[BUFFER_BYTES];
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    out.write(buffer, 0, length);
                    out.flush(); // an event of a watch
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (Map.Entry<String, List<String>> field :
                exchange.getRequestHeaders().entrySet()) {
            if (!NOT_PASSED_ON.contains(field.getKey().toLowerCase(Locale.ROOT))) {
                field.getValue().forEach(value -> request.header(field.getKey(), value));
            }
        }
        return request.build();
    }

    /** The answer's head; its body has a length, or chunks where that is not known. */
    private static OutputStream begin(HttpExchange exchange, HttpResponse<?> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (!name.startsWith(":") && !NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        long length = answer.headers().firstValueAsLong("Content-Length").orElse(0);
        exchange.sendResponseHeaders(answer.statusCode(), length);
        return exchange.getResponseBody();
    }

    @Override
    public void close() {
        server.stop(0);
        http.shutdownNow();
        requests.shutdownNow();
    }
}
