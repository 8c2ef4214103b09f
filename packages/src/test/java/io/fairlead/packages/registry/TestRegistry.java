package io.fairlead.packages.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A server on loopback that answers as it is told and notes what credentials it was given. */
final class TestRegistry implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private TestRegistry(HttpServer server) {
        this.server = server;
    }

    static TestRegistry start(HttpHandler handler) throws IOException {
        return start(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), handler);
    }

    /** One that speaks TLS, at an address for which plain HTTP is not allowed. */
    static TestRegistry startTls(SSLContext identity, HttpHandler handler) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.2", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity));
        return start(server, handler);
    }

    private static TestRegistry start(HttpServer server, HttpHandler handler) {
        TestRegistry registry = new TestRegistry(server);
        registry.server.setExecutor(registry.threads);
        registry.server.createContext("/", exchange -> {
            try (exchange) {
                registry.requests.add(exchange.getRequestURI().getPath() + " " + authorization(exchange));
                handler.handle(exchange);
            }
        });
        registry.server.start();
        return registry;
    }

    String host() {
        return server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** Each request's path and credentials. */
    List<String> requests() {
        return requests;
    }

    /** Waits until the test is over. */
    void stall() {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    static String authorization(HttpExchange exchange) {
        return String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    static void challenge(HttpExchange exchange, String challenge) throws IOException {
        exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
        answer(exchange, 401, "{}");
    }

    static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        answer(exchange, 307, "");
    }
}
