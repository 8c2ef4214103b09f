package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.clustersync.ClusterSync;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
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
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
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
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The servers that a registration names for what CRDs serve are reached with the cluster's credential, or one of their own, for as
 * long as it names them. Where connections are counted the base has gone away, so that every connection is one to them.
 */
class CrdRuntimeTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final String KUBE_SYSTEM = "/api/v1/namespaces/kube-system";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(1, "crd-runtime-test");
    private final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    private final FleetIndex index = FleetIndex.create();
    private final StatusInbox inbox = new StatusInbox();
    private final OpenConnections connections = new OpenConnections();
    private final ClusterSync sync = new ClusterSync(
            index, upstreams, _ -> connections, SyncSettings.defaults(), inbox, InstantSource.system(), new Random(1));
    private final Fleet fleet = new Fleet(root.hosted, sync, index, inbox, InstantSource.system(), _ -> {});
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<InetSocketAddress> peers = ConcurrentHashMap.newKeySet();
    private volatile String clusterOfServer = "uid-a";
    private final X509Bundle baseIdentity = identity("base.example");
    private final X509Bundle identity = identity("server.example");
    private final HttpsServer base = server(baseIdentity, this::answerAsBase);
    private final HttpsServer server = server(identity, this::answer);

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
        base.stop(0);
        server.stop(0);
        threads.shutdownNow();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Test
    void named_isReachedWithTheClustersCaCredentialAndImpersonation() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        ClusterEntry.Attached prod = attached();
        ClusterEntry.Backend runtime = runtime();

        assertThat(runtime.endpoints()).containsExactly(URI.create(url(server)));
        assertThat(runtime.identity()).isEqualTo(prod.base().identity());
        assertThat(prod.base().endpoints()).containsExactly(URI.create(url(base)));
        assertThat(ask(runtime)).isEqualTo("200 Bearer t0ken");
    }

    @Test
    void caAndServerNameOfItsOwn_areUsedInsteadOfTheClusters() {
        register(
                "tlsServerName: base.example, caBundle: " + base64(baseIdentity.getCertificatePEM()),
                "{endpoints: ['" + url(server) + "'], caBundle: " + base64(identity.getCertificatePEM()) + "}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        patch("{crdRuntime: {tlsServerName: other.example}}");

        eventually("the name is asked for", () -> ask(runtime()).startsWith("CERTIFICATE"));
    }

    @Test
    void token_thatChanges_isSentOnTheSameConnections() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        Upstream before = runtime().upstream();
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        root.send(ADMIN, "PATCH", SECRETS + "/token", "{data: {token: " + base64("newer") + "}}");

        eventually("the newer token is sent", () -> ask(runtime()).equals("200 Bearer newer"));
        assertThat(runtime().upstream()).isSameAs(before);
    }

    @Test
    void named_later_isReached_andNamedNoMore_isLeft() {
        register("caBundle: " + cas(), "null");
        assertThat(attached().crdRuntime()).isNull();

        patch("{crdRuntime: {endpoints: ['" + url(server) + "']}}");
        eventually("the runtime is there", () -> attached().crdRuntime() != null);
        Upstream upstream = runtime().upstream();
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");
        stopBase();
        Upstream base = attached().base().upstream();

        patch("{crdRuntime: null}");

        eventually("the runtime is gone", () -> attached().crdRuntime() == null);
        eventually("its connections are closed", () -> connections.open() == 0);
        assertThat(ask(upstream)).startsWith("CLOSED");
        assertThat(attached().base().upstream()).isSameAs(base);
    }

    @Test
    void clusterThatIsDeleted_leavesNoConnection() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        ClusterEntry.Backend runtime = runtime();
        assertThat(ask(runtime)).isEqualTo("200 Bearer t0ken");
        stopBase();

        root.send(ADMIN, "DELETE", CLUSTERS + "/prod", "");

        eventually("its connections are closed", () -> connections.open() == 0);
        assertThat(ask(runtime)).startsWith("CLOSED");
    }

    @Test
    void clusterThatIsPaused_leavesNoConnection() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        stopBase();

        root.send(ADMIN, "PATCH", CLUSTERS + "/prod", "{spec: {paused: true}}");

        eventually("its connections are closed", () -> connections.open() == 0);
    }

    @Test
    void caThatIsNone_leavesTheClusterUnready() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], caBundle: " + base64("none") + "}");

        eventually("it is not served", () -> fleet.lookup(PROD) instanceof ClusterEntry.Unready);
        assertThat(fleet.lookup(PROD))
                .isInstanceOfSatisfying(
                        ClusterEntry.Unready.class,
                        unready -> assertThat(unready.cause()).isEqualTo("InvalidCredential"));
        assertThat(index.view(PROD)).isEmpty();
    }

    @Test
    void credentialOfItsOwn_isSentInsteadOfTheClusters_andFollowed() {
        root.secret("own", "token", "0wn");
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], credentialSecretRef: {name: own}}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer 0wn");
        assertThat(runtime().identity()).isNotEqualTo(attached().base().identity());

        root.send(ADMIN, "PATCH", SECRETS + "/own", "{data: {token: " + base64("newer") + "}}");
        eventually("the newer token is sent", () -> ask(runtime()).equals("200 Bearer newer"));

        patch("{crdRuntime: {credentialSecretRef: null}}");
        eventually("the cluster's token is sent", () -> ask(runtime()).equals("200 Bearer t0ken"));
    }

    @Test
    void credentialOfItsOwn_thatIsMissing_leavesTheClusterUnreadyUntilItIsThere() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], credentialSecretRef: {name: own}}");

        eventually("it says so", () -> reason("Ready").equals("False SecretNotFound"));
        assertThat(reason("CRDRuntimeReachable")).isEqualTo("False SecretNotFound");

        root.secret("own", "token", "0wn");

        eventually("it is served", () -> fleet.lookup(PROD) instanceof ClusterEntry.Attached);
        assertThat(ask(runtime())).isEqualTo("200 Bearer 0wn");
    }

    @Test
    void serverOfTheCluster_isReachable_asAConditionSays_forAsLongAsItIsNamed() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        eventually("it is reachable", () -> reason("CRDRuntimeReachable").equals("True Reachable"));
        eventually("the cluster is Ready", () -> reason("Ready").equals("True Ready"));

        patch("{crdRuntime: null}");

        eventually(
                "nothing is said of it any more",
                () -> condition("CRDRuntimeReachable").isEmpty());
        eventually("the cluster is Ready", () -> reason("Ready").equals("True Ready"));
    }

    @Test
    void serverOfAnotherCluster_isSentNothing_andTheClusterIsNotReadyBecauseOfIt() {
        clusterOfServer = "uid-b";
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        assertThat(ask(runtime())).startsWith("IDENTITY").contains("uid-a", "uid-b");
        eventually("it says so", () -> reason("CRDRuntimeReachable").equals("False AnotherCluster"));
        assertThat(condition("CRDRuntimeReachable").path("message").asString(""))
                .contains(url(server), "uid-a", "uid-b", "expected API servers over the same store");
        eventually("the cluster is not Ready", () -> reason("Ready").equals("False CRDRuntimeNotReachable"));
        assertThat(reason("Reachable")).isEqualTo("True Reachable");
        assertThat(tokens).isEmpty();
    }

    private void register(String more, String runtime) {
        String attached = "endpoints: ['" + url(base) + "'], credentialSecretRef: {name: token}, " + more;
        String named = runtime.equals("null") ? "" : ", crdRuntime: " + runtime;
        root.create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: prod}, spec: {attached: {"
                        + attached + named + "}}}");
        eventually("it is registered", () -> !(fleet.lookup(PROD) instanceof ClusterEntry.NotRegistered));
    }

    private void patch(String attached) {
        assertThat(root.send(ADMIN, "PATCH", CLUSTERS + "/prod", "{spec: {attached: " + attached + "}}")
                        .code())
                .isEqualTo(200);
    }

    private ClusterEntry.Attached attached() {
        return (ClusterEntry.Attached) fleet.lookup(PROD);
    }

    private ClusterEntry.Backend runtime() {
        ClusterEntry.Backend runtime = attached().crdRuntime();
        if (runtime == null) {
            throw new AssertionError("no runtime is named");
        }
        return runtime;
    }

    private String ask(ClusterEntry.Backend backend) {
        return ask(backend.upstream());
    }

    /** The status with the token that the server was sent, or the kind of the failure. */
    private String ask(Upstream upstream) {
        Hearing hearing = new Hearing();
        upstream.send(
                new RequestHead(HttpMethod.GET, "/", new DefaultHttpHeaders(), 0), Upstream.Kind.SHORT, null, hearing);
        String heard = hearing.answer.orTimeout(20, TimeUnit.SECONDS).join();
        String token = tokens.poll();
        return token == null ? heard : heard + " " + token;
    }

    /** From here on all open connections are to the runtime. */
    private void stopBase() {
        base.stop(0);
        eventually(
                "only connections to the runtime are open",
                () -> !peers.isEmpty() && connections.open() == peers.size());
    }

    private JsonNode condition(String type) {
        return root.cluster("prod").path("status").path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst()
                .orElseGet(Json::object);
    }

    private String reason(String type) {
        JsonNode condition = condition(type);
        return condition.path("status").asString("") + " "
                + condition.path("reason").asString("");
    }

    private String cas() {
        return base64(identity.getCertificatePEM() + "\n" + baseIdentity.getCertificatePEM());
    }

    private static String url(HttpsServer of) {
        return "https://127.0.0.1:" + of.getAddress().getPort();
    }

    private static X509Bundle identity(String name) {
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
    private void answer(HttpExchange exchange) throws IOException {
        peers.add(exchange.getRemoteAddress());
        if (exchange.getRequestURI().getPath().equals(KUBE_SYSTEM)) {
            answerKubeSystem(exchange, clusterOfServer);
        } else {
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void answerAsBase(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals(KUBE_SYSTEM)) {
            answerKubeSystem(exchange, "uid-a");
        } else if (path.equals("/version")) {
            answer(exchange, "{\"gitVersion\": \"v1.36.3\"}");
        } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            exchange.sendResponseHeaders(200, -1); // A watch that ends at once.
        } else {
            answer(exchange, "{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
        }
    }

    private static void answerKubeSystem(HttpExchange exchange, String uid) throws IOException {
        answer(exchange, "{\"metadata\": {\"uid\": \"" + uid + "\"}}");
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private HttpsServer server(X509Bundle identity, HttpHandler handler) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
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

    private static final class OpenConnections implements ConnectionMetrics {
        private final AtomicInteger open = new AtomicInteger();

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

    private static final class Hearing implements ResponseReceiver {
        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private int status;

        @Override
        public void onHead(int code, HttpHeaders headers) {
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
