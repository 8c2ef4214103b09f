package io.fairlead.fleet.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.testkit.HttpServers;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An extension API server on the loopback interface that answers what a test wants, and notes who asked for what. */
final class FakeBackend implements AutoCloseable {
    private static final String LIST = """
        {"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": [
        {"name": "boats", "singularName": "boat", "namespaced": true, "kind": "Boat", "verbs": ["get"], "shortNames": ["bo"]},
        {"name": "boats/scale", "namespaced": true, "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get"]}]}
        """;

    /** An answer that never comes. */
    static final String HANG = "HANG";

    final X509Bundle identity;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>(Map.of("/apis/example.com/v1", LIST));
    private final Semaphore hangs = new Semaphore(0);
    private volatile int status = 200;

    /** @param name for which its certificate is */
    FakeBackend(String name) throws Exception {
        identity = new CertificateBuilder()
                .ecp256()
                .subject("CN=backend")
                .addSanDnsName(name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
        managers.init(identity.toKeyStore("x".toCharArray()), "x".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            }
        });
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Each request: its path, its user and its groups. */
    List<String> asked() {
        return asked;
    }

    /** Answers everything with a status from now on. */
    void status(int code) {
        status = code;
    }

    void answer(String path, String body) {
        answers.put(path, body);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path + " " + exchange.getRequestHeaders().getFirst("X-Remote-User") + " "
                + exchange.getRequestHeaders().get("X-Remote-Group"));
        String answer = answers.get(path);
        if (HANG.equals(answer)) {
            hangs.acquireUninterruptibly();
        }
        byte[] body = (answer == null ? "{}" : answer).getBytes(UTF_8);
        exchange.sendResponseHeaders(answer == null && status == 200 ? 404 : status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        hangs.release(100);
        HttpServers.stop(server);
        threads.shutdownNow();
    }
}
