package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.clustersync.ClusterSync;
import io.fairlead.fleet.conditions.ConditionRecords;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.api.FairleadApi;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** A fleet over a root cluster, with API servers that a test lets answer. */
abstract class FleetFixture {
    static final ClusterName DEV = new ClusterName("dev");
    static final Identity JANE = new Identity.OfGateway(UserInfo.of("jane", List.of(UserInfo.AUTHENTICATED)));
    static final Identity ROOT = new Identity.OfGateway(ADMIN);

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final Transport transport = Transport.preferred();
    final EventLoopGroup loops = transport.newGroup(1, "fleet-test");
    final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    final FleetIndex index = FleetIndex.create();
    final StatusInbox inbox = new StatusInbox();
    final Set<ClusterName> forgotten = ConcurrentHashMap.newKeySet();
    final ClusterSync sync = new ClusterSync(
            index,
            upstreams,
            _ -> ConnectionMetrics.NONE,
            TestSettings.sync(),
            inbox,
            InstantSource.system(),
            new Random(1),
            HistoryMetrics.NONE,
            Duration.ofSeconds(60));
    final AtomicInteger errorsToCome = new AtomicInteger();
    final AtomicInteger failuresToCome = new AtomicInteger();
    final AtomicLong aheadNanos = new AtomicLong();

    /** How far the fleet's clock is ahead of the time; behind it, if negative. */
    final AtomicLong clockAheadSeconds = new AtomicLong();

    final ClusterIdentities identities = identities();
    final Fleet fleet = new Fleet(
            root.hosted,
            sync,
            index,
            inbox,
            this::now,
            identities,
            this::forget,
            () -> System.nanoTime() + aheadNanos.get());
    final Informers informers = new Informers(fleet::lookup, _ -> 1, this::now);
    final ConditionRecords records = new ConditionRecords(
            root.root, fleet.facts(), informers, Path.of("target", "conditions-" + System.nanoTime()), this::now);
    final Usage usage = new Usage(Limited.BY_DEFAULT.limits());
    final FairleadApi api = new FairleadApi(
            fleet,
            new ClusterAccess(root.root),
            root.hosted.archives(),
            index,
            records,
            identities,
            List::of,
            usage,
            InstantSource.system(),
            "root",
            null);

    @BeforeEach
    void start() {
        fleet.register();
        fleet.start("https://localhost:6443");
        register("dev", "{hosted: {}}");
        root.secret("token", "token", "t0ken");
        eventually(
                "dev is Ready",
                () -> condition("dev", "Ready").path("status").asString("").equals("True"));
    }

    @AfterEach
    void close() {
        records.close();
        informers.close();
        fleet.close();
        sync.close();
        upstreams.close();
        root.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    static ClusterIdentities identities() {
        return new ClusterIdentities(InstantSource.system(), ConflictTransitions.NONE);
    }

    void register(String name, String spec) {
        root.create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: " + spec
                        + "}");
    }

    /** Another process over the same data, with its clock ahead or behind. */
    void restart(long aheadSeconds, Consumer<Fleet> process) {
        fleet.close();
        InstantSource clock = () -> Instant.now().plusSeconds(aheadSeconds);
        try (Fleet again = new Fleet(root.hosted, sync, index, inbox, clock, identities(), forgotten::add)) {
            again.register();
            again.start("https://localhost:6443");
            process.accept(again);
        }
    }

    /** Changes a cluster and waits until the controller has seen that. */
    void observeAnew(String cluster) {
        root.send(ADMIN, "PATCH", CLUSTERS + "/" + cluster, "{spec: {displayName: '" + System.nanoTime() + "'}}");
        eventually(
                "the change is observed",
                () -> condition(cluster, "Ready").path("observedGeneration").asLong(0)
                        == root.cluster(cluster).at("/metadata/generation").asLong(-1));
    }

    void delete(String name) {
        root.send(ADMIN, "DELETE", CLUSTERS + "/" + name, "");
        ClusterName cluster = new ClusterName(name);
        eventually(
                "the cluster is not registered",
                () -> fleet.lookup(cluster) instanceof ClusterEntry.NotRegistered && forgotten.contains(cluster));
    }

    void awaitReady(String cluster, String status, String reason) {
        eventually(cluster + " is " + reason, () -> {
            JsonNode ready = condition(cluster, "Ready");
            return ready.path("status").asString("").equals(status)
                    && ready.path("reason").asString("").equals(reason);
        });
    }

    JsonNode condition(String cluster, String type) {
        for (JsonNode condition : root.cluster(cluster).at("/status/conditions").values()) {
            if (condition.path("type").asString("").equals(type)) {
                return condition;
            }
        }
        return Json.object();
    }

    String text(Identity caller, String method, String path) {
        return switch (api.serve(request(caller, method, path))) {
            case ApiResponse.Whole whole -> Json.read(whole.body()).toString();
            case ApiResponse.Stream stream -> throw new AssertionError("a stream: " + stream);
            case ApiResponse.Pieces pieces -> throw new AssertionError("a long list: " + pieces);
        };
    }

    io.fairlead.model.Status refusal(Identity caller, String method, String path) {
        return catchThrowableOfType(StatusException.class, () -> api.serve(request(caller, method, path)))
                .status();
    }

    static AdminRequest request(Identity caller, String method, String path) {
        return new AdminRequest(caller, method, path, Map.of(), Map.of());
    }

    static String attached(int port, X509Bundle trusted) {
        return "{attached: {endpoints: ['https://127.0.0.1:" + port + "'], caBundle: "
                + base64(trusted.getCertificatePEM()) + ", credentialSecretRef: {name: token}}}";
    }

    static String certificate(String name, X509Bundle certificate, X509Bundle key) {
        return "{metadata: {name: " + name + "}, data: {tls.crt: " + base64(certificate.getCertificatePEM())
                + ", tls.key: " + base64(key.getPrivateKeyPEM()) + "}}";
    }

    static X509Bundle identity() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** A server that answers everything with one code. */
    static HttpsServer server(X509Bundle identity, int code) throws Exception {
        // That of PKIX derives the private key from its password at each handshake.
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(identity.toKeyStore("x".toCharArray()), "x".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(code, -1);
            } catch (IOException clientGone) {
                throw new AssertionError(clientGone);
            }
        });
        server.start();
        return server;
    }

    void forget(ClusterName cluster) {
        if (failuresToCome.getAndDecrement() > 0) {
            throw new IllegalStateException("of the test");
        }
        forgotten.add(cluster);
    }

    Instant now() {
        if (errorsToCome.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
        return Instant.now().plusSeconds(clockAheadSeconds.get());
    }
}
