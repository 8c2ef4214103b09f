package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.clustersync.ClusterSync;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.HttpServers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** A cluster whose CRDs are served by servers of their own. Where connections are counted the base has gone away, so that every
 * connection is one to them. */
abstract class CrdRuntimeFixture {
    static final ClusterName PROD = new ClusterName("prod");
    static final String KUBE_SYSTEM = "/api/v1/namespaces/kube-system";

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final Transport transport = Transport.preferred();
    final EventLoopGroup loops = transport.newGroup(1, "crd-runtime-test");
    final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    final FleetIndex index = FleetIndex.create();
    final StatusInbox inbox = new StatusInbox();
    final OpenConnections connections = new OpenConnections();
    final ClusterSync sync = new ClusterSync(
            index,
            upstreams,
            _ -> connections,
            TestSettings.sync(),
            inbox,
            InstantSource.system(),
            new Random(1),
            HistoryMetrics.NONE,
            Duration.ofSeconds(60));
    final Fleet fleet = new Fleet(
            root.hosted,
            sync,
            index,
            inbox,
            InstantSource.system(),
            new ClusterIdentities(InstantSource.system(), ConflictTransitions.NONE),
            _ -> {});
    final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final Set<InetSocketAddress> peers = ConcurrentHashMap.newKeySet();
    volatile String clusterOfServer = "uid-a";
    /** How far the history of the cluster has come. */
    volatile int revision = 1;

    final X509Bundle baseIdentity = identity("base.example");
    final X509Bundle identity = identity("server.example");
    final HttpsServer base = server(baseIdentity, this::answerAsBase);
    final HttpsServer server = server(identity, this::answer);

    @BeforeEach
    void start() {
        root.secret("token", "token", "t0ken");
        fleet.register();
        fleet.start("https://localhost:6443");
    }

    @AfterEach
    void close() {
        fleet.close();
        sync.close();
        upstreams.close();
        root.close();
        HttpServers.stop(base);
        HttpServers.stop(server);
        threads.shutdownNow();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    void register(String more, String runtime) {
        String attached = "endpoints: ['" + url(base) + "'], credentialSecretRef: {name: token}, " + more;
        String named = runtime.equals("null") ? "" : ", crdRuntime: " + runtime;
        root.create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: prod}, spec: {attached: {"
                        + attached + named + "}}}");
        eventually("it is registered", () -> !(fleet.lookup(PROD) instanceof ClusterEntry.NotRegistered));
    }

    void patch(String attached) {
        assertThat(root.send(ADMIN, "PATCH", CLUSTERS + "/prod", "{spec: {attached: " + attached + "}}")
                        .code())
                .isEqualTo(200);
    }

    ClusterEntry.Attached attached() {
        return (ClusterEntry.Attached) fleet.lookup(PROD);
    }

    ClusterEntry.Backend runtime() {
        ClusterEntry.Backend runtime = attached().crdRuntime();
        if (runtime == null) {
            throw new AssertionError("no runtime is named");
        }
        return runtime;
    }

    String ask(ClusterEntry.Backend backend) {
        return ask(backend.upstream());
    }

    /** The status with the token that the server was sent, or the kind of the failure. */
    String ask(Upstream upstream) {
        String heard = ask(upstream, new RequestHead(HttpMethod.GET, "/", Fields.EMPTY, 0));
        String token = tokens.poll();
        return token == null ? heard : heard + " " + token;
    }

    /** The status, or the kind of the failure. */
    static String ask(Upstream upstream, RequestHead head) {
        Hearing hearing = new Hearing();
        upstream.send(head, Upstream.Kind.SHORT, null, hearing);
        return hearing.answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** From here on all open connections are to the runtime. */
    void stopBase() {
        HttpServers.stop(base);
        eventually(
                "only connections to the runtime are open",
                () -> !peers.isEmpty() && connections.open() == peers.size());
    }

    JsonNode condition(String type) {
        return root.cluster("prod").path("status").path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst()
                .orElseGet(Json::object);
    }

    String reason(String type) {
        JsonNode condition = condition(type);
        return condition.path("status").asString("") + " "
                + condition.path("reason").asString("");
    }

    String cas() {
        return base64(identity.getCertificatePEM() + "\n" + baseIdentity.getCertificatePEM());
    }

    static String url(HttpsServer of) {
        return "https://127.0.0.1:" + of.getAddress().getPort();
    }

    static X509Bundle identity(String name) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + name)
                    .addSanIpAddress("127.0.0.1")
                    .addSanDnsName(name)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Says which cluster it is of, and notes the credential of each other request. */
    void answer(HttpExchange exchange) throws IOException {
        peers.add(exchange.getRemoteAddress());
        if (exchange.getRequestURI().getPath().equals(KUBE_SYSTEM)) {
            answerKubeSystem(exchange, clusterOfServer);
        } else {
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    void answerAsBase(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals(KUBE_SYSTEM)) {
            answerKubeSystem(exchange, "uid-a");
        } else if (path.equals("/version")) {
            answer(exchange, "{\"gitVersion\": \"v1.36.3\"}");
        } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            exchange.sendResponseHeaders(200, -1); // A watch that ends at once.
        } else {
            answer(
                    exchange,
                    "{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"" + revision + "\"}, \"items\": []}");
        }
    }

    static void answerKubeSystem(HttpExchange exchange, String uid) throws IOException {
        answer(exchange, "{\"metadata\": {\"uid\": \"" + uid + "\"}}");
    }

    static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    HttpsServer server(X509Bundle identity, HttpHandler handler) {
        try {
            // That of PKIX derives the private key from its password at each handshake.
            KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
            keys.init(identity.toKeyStore("x".toCharArray()), "x".toCharArray());
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(keys.getKeyManagers(), null, null);
            HttpsServer made = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            made.setExecutor(threads); // Else a connection without a request would hold up all others.
            made.setHttpsConfigurator(new HttpsConfigurator(tls));
            made.createContext("/", exchange -> {
                try (exchange) {
                    handler.handle(exchange);
                } catch (IOException clientGone) {
                    // A test ends while the cluster is still asked.
                }
            });
            made.start();
            return made;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static final class OpenConnections implements ConnectionMetrics {
        final AtomicInteger open = new AtomicInteger();

        int open() {
            return open.get();
        }

        @Override
        public void opened(String protocol) {
            open.incrementAndGet();
        }

        @Override
        public void closed(String protocol) {
            open.decrementAndGet();
        }
    }

    static final class Hearing implements ResponseReceiver {
        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private int status;

        @Override
        public void onHead(int code, MutableFields headers) {
            status = code;
        }

        @Override
        public void onData(ByteBuf data) {
            data.release();
        }

        @Override
        public void onEnd() {
            answer.complete(String.valueOf(status));
        }

        @Override
        public void onFailure(UpstreamFailure failure) {
            answer.complete(failure.kind() + ": " + failure.message());
        }
    }
}
