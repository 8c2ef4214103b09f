package io.fairlead.fleet;

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
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An API server without types, which says which cluster it is of as a test wants it. */
final class FakeCluster implements AutoCloseable {
    static final String KUBE_SYSTEM = "/api/v1/namespaces/kube-system";
    private static final String KEYS = "/openid/v1/jwks";

    private final X509Bundle identity;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private record Answer(int code, String body) {}

    FakeCluster(String uid, String... keys) {
        try {
            identity = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=fake")
                    .addSanIpAddress("127.0.0.1")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            // That of PKIX derives the private key from its password at each handshake.
            KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
            managers.init(identity.toKeyStore("x".toCharArray()), "x".toCharArray());
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(managers.getKeyManagers(), null, null);
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        uid(uid);
        keys(keys);
        answer("/version", 200, "{\"gitVersion\": \"v1.36.3\"}");
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            } catch (IOException clientGone) {
                // A test ends while the cluster is still asked.
            }
        });
        server.start();
    }

    void uid(String uid) {
        answer(KUBE_SYSTEM, 200, "{\"metadata\": {\"uid\": \"" + uid + "\"}}");
    }

    /** Signs ServiceAccounts' tokens with these keys. */
    void keys(String... keys) {
        answer(
                KEYS,
                200,
                List.of(keys).stream()
                        .map(key -> "{\"kty\": \"RSA\", \"e\": \"AQAB\", \"n\": \"" + key + "\"}")
                        .collect(Collectors.joining(", ", "{\"keys\": [", "]}")));
    }

    void answer(String path, int code, String body) {
        answers.put(path, new Answer(code, body));
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    /** The part of a spec that leads here. */
    String spec() {
        return "{attached: {endpoints: ['https://127.0.0.1:"
                + server.getAddress().getPort() + "'], caBundle: "
                + Base64.getEncoder()
                        .encodeToString(identity.getCertificatePEM().getBytes(UTF_8))
                + ", credentialSecretRef: {name: token}}}";
    }

    @Override
    public void close() {
        HttpServers.stop(server);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        String accepted = String.valueOf(exchange.getRequestHeaders().getFirst("Accept"));
        if (path.equals(KEYS) && !accepted.contains("application/jwk-set+json")) { // As kube-apiserver does.
            exchange.sendResponseHeaders(406, -1);
            return;
        }
        if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            exchange.sendResponseHeaders(200, -1); // A watch that ends at once.
            return;
        }
        Answer answer = answers.getOrDefault(
                path,
                new Answer(200, "{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"7\"}, \"items\": []}"));
        byte[] body = answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.code(), body.length);
        exchange.getResponseBody().write(body);
    }
}
