package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.clustersync.ClusterStatus;
import io.fairlead.clustersync.ClusterSync;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.admin.RootCheck;
import io.fairlead.gateway.api.FairleadApi;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.LogLines;
import io.netty.channel.EventLoopGroup;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is registered is served, and each cluster's conditions say what is wrong with that cluster alone. */
class FleetTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final Identity JANE = new Identity.OfGateway(UserInfo.of("jane", List.of(UserInfo.AUTHENTICATED)));
    private static final Identity ROOT = new Identity.OfGateway(ADMIN);

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(1, "fleet-test");
    private final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    private final FleetIndex index = FleetIndex.create();
    private final StatusInbox inbox = new StatusInbox();
    private final Set<ClusterName> forgotten = ConcurrentHashMap.newKeySet();
    private final ClusterSync sync = new ClusterSync(
            index,
            upstreams,
            _ -> ConnectionMetrics.NONE,
            SyncSettings.defaults(),
            inbox,
            InstantSource.system(),
            new Random(1));
    private final AtomicInteger errorsToCome = new AtomicInteger();
    private final AtomicInteger failuresToCome = new AtomicInteger();
    private final AtomicLong aheadNanos = new AtomicLong();
    private final Fleet fleet = new Fleet(
            root.hosted, sync, index, inbox, this::now, this::forget, () -> System.nanoTime() + aheadNanos.get());
    private final FairleadApi api =
            new FairleadApi(fleet, new ClusterAccess(root.root), index, InstantSource.system(), "root", null);

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
        fleet.close();
        sync.close();
        upstreams.close();
        root.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Test
    void controller_thatMeetsAnError_goesOnWithTheSameCluster() {
        errorsToCome.set(2);
        register("late", "{hosted: {}}");

        eventually(
                "late is Ready",
                () -> condition("late", "Ready").path("status").asString("").equals("True"));
        assertThat(errorsToCome.get()).isNotPositive();
        assertThat(fleet.work()).hasSize(3).allSatisfy(work -> {
            assertThat(work.isAlive()).isTrue();
            assertThat(work.problem()).isEmpty();
        });
    }

    @Test
    void rootThatIsNoLongerRegistered_isNotReady() {
        RootCheck check = new RootCheck(() -> fleet.lookup(ClusterName.ROOT) instanceof ClusterEntry.Hosted);
        assertThat(check.failure()).isEmpty();

        root.lose("/clusters/root");

        eventually("the root cluster is not served", () -> check.failure().isPresent());
        assertThat(check.failure().orElseThrow()).contains("root", "restart");
    }

    @Test
    void deletionOfDataThatFails_isFinishedWithoutAnotherChange() {
        register("late", "{hosted: {deletionPolicy: Delete}}");
        eventually(
                "late is Ready",
                () -> condition("late", "Ready").path("status").asString("").equals("True"));
        failuresToCome.set(1);

        root.send(ADMIN, "DELETE", CLUSTERS + "/late", "");

        eventually(
                "the registration and its data are gone",
                () -> root.send(ADMIN, "GET", CLUSTERS + "/late", "").code() == 404
                        && !root.hosted.stored().contains(new ClusterName("late")));
        assertThat(failuresToCome.get()).isNotPositive();
    }

    @ParameterizedTest
    @CsvSource({"401, CredentialRefused", "404, NotKubernetes", "403, CredentialForbidden", "500, UnexpectedAnswer"})
    void attached_answeringOtherwise_isNotReadyAndSaysWhy(int code, String reason) throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, code);
        try {
            JsonNode dev = condition("dev", "Ready");
            register("prod", attached(server.getAddress().getPort(), identity));

            awaitReady("prod", "False", reason);
            assertThat(condition("prod", "Ready").path("message").asString("")).contains(String.valueOf(code));
            assertThat(condition("dev", "Ready")).isEqualTo(dev);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void attached_withAnotherCertificate_isNotReadyAndSaysSo() throws Exception {
        HttpsServer server = server(identity(), 200);
        try {
            register("prod", attached(server.getAddress().getPort(), identity()));

            awaitReady("prod", "False", "CertificateRefused");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void attached_thatIsDown_isNotReadyNamingTheAddress() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 200);
        int port = server.getAddress().getPort();
        server.stop(0);

        register("prod", attached(port, identity));

        awaitReady("prod", "False", "ConnectionFailed");
        assertThat(condition("prod", "Ready").path("message").asString("")).contains(String.valueOf(port));
    }

    @Test
    void attached_thatNeverAnswers_delaysNoOtherCluster() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 5; i++) {
                register("mute" + i, attached(mute.getLocalPort(), identity()));
            }
            register("later", "{hosted: {}}");

            awaitReady("later", "True", "Ready");
            assertThat(condition("mute0", "Ready").path("status").asString("")).isNotEqualTo("True");
        }
    }

    @Test
    void attached_withoutItsSecret_waitsForIt() throws Exception {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");
        awaitReady("prod", "False", "SecretNotFound");
        assertThat(condition("prod", "Ready").path("message").asString("")).contains("fairlead-system/later");

        root.secret("later", "token", "t0ken");

        awaitReady("prod", "False", "ConnectionFailed");
    }

    @Test
    void attached_withATokenThatNoHeaderHolds_isNotReadyAtOnce_namingTheSecretAndTheKey() throws Exception {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");

        root.secret("later", "token", "admin\ntoken");

        awaitReady("prod", "False", "InvalidCredential");
        assertThat(condition("prod", "Ready").path("message").asString(""))
                .contains("secret fairlead-system/later, key token", "line break", "expected")
                .doesNotContain("admin");
        assertThat(fleet.lookup(new ClusterName("prod"))).isInstanceOf(ClusterEntry.Unready.class);
    }

    @Test
    void attached_whoseCertificateBecomesAnothersThanTheKey_isNotReadyAtOnce() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        try {
            root.create(RootCluster.SECRETS, certificate("client", identity, identity));
            register("prod", attached(server.getAddress().getPort(), identity).replace("name: token", "name: client"));
            awaitReady("prod", "False", "CredentialRefused");

            root.send(ADMIN, "PATCH", RootCluster.SECRETS + "/client", certificate("client", identity, identity()));

            awaitReady("prod", "False", "InvalidCredential");
            assertThat(condition("prod", "Ready").path("message").asString(""))
                    .contains("secret fairlead-system/client, key tls.key", "not the key of the certificate");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void table_saysWhyAClusterIsNotReady_andLeavesOutWhatIsNotKnown() {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");
        awaitReady("prod", "False", "SecretNotFound");

        JsonNode table = root.table(CLUSTERS + "/prod");

        assertThat(table.path("columnDefinitions").values())
                .extracting(column -> column.path("name").asString("")
                        + (column.path("priority").asInt(0) == 0 ? "" : " (wide)"))
                .containsExactly(
                        "Name",
                        "Type",
                        "Ready",
                        "Version",
                        "APIs",
                        "Age",
                        "URL (wide)",
                        "Epoch (wide)",
                        "Conflict (wide)",
                        "Reason (wide)");
        JsonNode cells = table.at("/rows/0/cells");
        assertThat(cells.get(2).asString("")).isEqualTo("False");
        assertThat(cells.get(4).isNull()).isTrue();
        assertThat(cells.get(9).asString("")).isEqualTo("SecretNotFound");
    }

    @Test
    void url_isWhereTheClusterIsReachedThroughFairlead() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        register("prod", attached(server.getAddress().getPort(), identity));
        awaitReady("prod", "False", "CredentialRefused");
        server.stop(0);

        for (String name : List.of("dev", "prod")) {
            assertThat(root.cluster(name).path("status").path("url").asString(""))
                    .isEqualTo("https://localhost:6443/clusters/" + name);
        }
    }

    @Test
    void changesOfState_areLogged() throws Exception {
        String version =
                "version=" + root.cluster("dev").path("status").path("version").asString("");
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        try (LogLines lines = new LogLines(FleetLog.class)) {
            register("later", "{hosted: {}}");
            awaitReady("later", "True", "Ready");
            register("prod", attached(server.getAddress().getPort(), identity));
            awaitReady("prod", "False", "CredentialRefused");
            delete("later");

            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("=later"))
                    .containsExactly(
                            "INFO Cluster registered cluster=later type=Hosted",
                            "INFO Cluster is Ready cluster=later " + version,
                            "INFO Cluster removed cluster=later");
            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("=prod"))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .isEqualTo("INFO Cluster registered cluster=prod type=Attached"
                                            + " url=https://127.0.0.1:"
                                            + server.getAddress().getPort()),
                            line -> assertThat(line)
                                    .startsWith("WARN Cluster is not Ready cluster=prod reason=CredentialRefused")
                                    .doesNotContain("t0ken"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void condition_ofTheSameStatus_keepsItsTransitionTime() {
        JsonNode before = condition("dev", "Ready");

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {displayName: Development}}");

        eventually(
                "the change is observed",
                () -> condition("dev", "Ready").path("observedGeneration").asLong(0)
                        > before.path("observedGeneration").asLong(0));
        assertThat(condition("dev", "Ready").path("lastTransitionTime")).isEqualTo(before.path("lastTransitionTime"));
    }

    @Test
    void labels_areThoseOfTheObject_andTheSameMapUntilTheyChange() {
        Map<ClusterName, Map<String, String>> before = fleet.labels();
        assertThat(before).containsEntry(DEV, Map.of());

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{metadata: {labels: {stage: dev}}}");
        eventually(
                "the label is seen",
                () -> Map.of("stage", "dev").equals(fleet.labels().get(DEV)));
        Map<ClusterName, Map<String, String>> after = fleet.labels();
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {displayName: Development}}");
        eventually(
                "the name is seen",
                () -> condition("dev", "Ready").path("observedGeneration").asLong(0) > 1);

        assertThat(fleet.labels()).isSameAs(after);
        delete("dev");
        eventually("they are forgotten", () -> !fleet.labels().containsKey(DEV));
    }

    @Test
    void hosted_deletedWithRetain_isUnservedAndKeptUntilPurged() {
        delete("dev");

        assertThat(fleet.retained()).containsExactly(DEV);
        assertThat(forgotten).containsExactly(DEV);
        assertThat(text(ROOT, "GET", "/fairlead/v1/clusters")).contains("\"Retained\"");
        assertThat(text(ROOT, "DELETE", "/fairlead/v1/clusters/dev/data")).contains("\"purged\":true");
        assertThat(root.hosted.stored()).doesNotContain(DEV);
    }

    @Test
    void hosted_deletedWithDelete_leavesNoData() {
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {hosted: {deletionPolicy: Delete}}}");

        delete("dev");

        eventually("the data is gone", () -> !root.hosted.stored().contains(DEV));
        eventually("the object is gone", () -> fleet.cluster(DEV).isEmpty());
    }

    @Test
    void hosted_registeredBefore_isOpenedAfterTheStart_firstWhereItIsWaitedFor() throws Exception {
        for (int i = 0; i < 20; i++) {
            String name = "more-" + i;
            register(name, "{hosted: {}}");
            eventually(name + " is open", () -> root.hosted.get(new ClusterName(name)) != null);
        }
        fleet.close();
        root.hosted.stored().stream()
                .filter(name -> !name.equals(ClusterName.ROOT))
                .forEach(root.hosted::close);

        try (Fleet again =
                new Fleet(root.hosted, sync, index, new StatusInbox(), InstantSource.system(), forgotten::add)) {
            again.register();
            assertThat(again.lookup(new ClusterName("more-9"))).isInstanceOf(ClusterEntry.Opening.class);
            again.start("https://localhost:6443");

            ClusterEntry last = again.lookup(new ClusterName("more-9"));
            if (last instanceof ClusterEntry.Opening opening) {
                assertThat(opening.opens().await(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(again.lookup(new ClusterName("more-9"))).isInstanceOf(ClusterEntry.Hosted.class);
            eventually(
                    "all are open",
                    () -> root.hosted.stored().stream()
                            .allMatch(name -> again.lookup(name) instanceof ClusterEntry.Hosted));
        }
    }

    @Test
    void hosted_thatIsPaused_isFollowedNoMore_andAgainAfterwards() {
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: true}}");
        eventually("it is not served", () -> fleet.lookup(DEV) instanceof ClusterEntry.Unready);
        eventually("its scope is closed", () -> index.view(DEV).isEmpty());

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: false}}");

        eventually("it is followed again", () -> index.view(DEV).isPresent());
        awaitReady("dev", "True", "Ready");
    }

    @Test
    void sweep_takesUpWhatTheFleetWasNotToldOf() {
        register("other", "{hosted: {}}");
        awaitReady("other", "True", "Ready"); // What was to be done for dev has been done by then.
        ClusterStatus untold = new ClusterStatus(
                DEV,
                Finding.yes("Served", "it is"),
                Finding.unknown("Untold", "the fleet was not told"),
                Optional.empty(),
                "",
                0,
                OptionalInt.empty(),
                null);
        inbox.tell(_ -> {});
        inbox.report(untold);
        observeAnew("other");
        assertThat(condition("dev", "TypesSynced").path("reason").asString(""))
                .as("no sweep is due")
                .isNotEqualTo("Untold");

        eventually("dev is looked at again", () -> {
            inbox.report(untold);
            aheadNanos.addAndGet(TimeUnit.SECONDS.toNanos(31));
            observeAnew("other");
            return condition("dev", "TypesSynced").path("reason").asString("").equals("Untold");
        });
    }

    @Test
    void data_ofRegisteredCluster_isNotPurged() {
        assertThat(refusal(ROOT, "DELETE", "/fairlead/v1/clusters/dev/data").code())
                .isEqualTo(409);
        assertThat(root.hosted.stored()).contains(DEV);
    }

    @Test
    void data_ofClusterThatIsJustBeingRegistered_isNotPurged() {
        try (Fleet behind =
                new Fleet(root.hosted, sync, index, new StatusInbox(), InstantSource.system(), forgotten::add)) {
            assertThat(behind.lookup(DEV)).isInstanceOf(ClusterEntry.NotRegistered.class);

            assertThat(behind.purge(DEV)).isFalse();

            assertThat(root.hosted.stored()).contains(DEV);
        }
    }

    @Test
    void api_withoutAccess_answersTheSameForKnownAndUnknown() {
        for (String rest : List.of("", "/served?", "/index/verify", "/data", "/nothing")) {
            var known = refusal(JANE, "GET", "/fairlead/v1/clusters/dev" + rest);
            var unknown = refusal(JANE, "GET", "/fairlead/v1/clusters/absent" + rest);

            assertThat(known.code()).isEqualTo(403);
            assertThat(known).isEqualTo(unknown);
        }
    }

    @Test
    void api_list_namesOnlyClustersThatTheCallerMayEnter() {
        assertThat(text(ROOT, "GET", "/fairlead/v1/clusters")).contains("\"dev\"", "\"root\"");
        assertThat(text(JANE, "GET", "/fairlead/v1/clusters")).isEqualTo("{\"clusters\":[]}");
        assertThat(text(new Identity.OfCluster(DEV, ADMIN), "GET", "/fairlead/v1/clusters"))
                .contains("\"dev\"")
                .doesNotContain("\"root\"");
    }

    private void register(String name, String spec) {
        root.create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: " + spec
                        + "}");
    }

    /** Changes a cluster and waits until the controller has seen that. */
    private void observeAnew(String cluster) {
        root.send(ADMIN, "PATCH", CLUSTERS + "/" + cluster, "{spec: {displayName: '" + System.nanoTime() + "'}}");
        eventually(
                "the change is observed",
                () -> condition(cluster, "Ready").path("observedGeneration").asLong(0)
                        == root.cluster(cluster).at("/metadata/generation").asLong(-1));
    }

    private void delete(String name) {
        root.send(ADMIN, "DELETE", CLUSTERS + "/" + name, "");
        ClusterName cluster = new ClusterName(name);
        eventually(
                "the cluster is not registered",
                () -> fleet.lookup(cluster) instanceof ClusterEntry.NotRegistered && forgotten.contains(cluster));
    }

    private void awaitReady(String cluster, String status, String reason) {
        eventually(cluster + " is " + reason, () -> {
            JsonNode ready = condition(cluster, "Ready");
            return ready.path("status").asString("").equals(status)
                    && ready.path("reason").asString("").equals(reason);
        });
    }

    private JsonNode condition(String cluster, String type) {
        for (JsonNode condition : root.cluster(cluster).at("/status/conditions").values()) {
            if (condition.path("type").asString("").equals(type)) {
                return condition;
            }
        }
        return Json.object();
    }

    private String text(Identity caller, String method, String path) {
        return switch (api.serve(request(caller, method, path))) {
            case ApiResponse.Whole whole -> Json.read(whole.body()).toString();
            case ApiResponse.Stream stream -> throw new AssertionError("a stream: " + stream);
            case ApiResponse.Pieces pieces -> throw new AssertionError("a long list: " + pieces);
        };
    }

    private io.fairlead.model.Status refusal(Identity caller, String method, String path) {
        return catchThrowableOfType(StatusException.class, () -> api.serve(request(caller, method, path)))
                .status();
    }

    private static AdminRequest request(Identity caller, String method, String path) {
        return new AdminRequest(caller, method, path, Map.of(), Map.of());
    }

    private static String attached(int port, X509Bundle trusted) {
        return "{attached: {endpoints: ['https://127.0.0.1:" + port + "'], caBundle: "
                + base64(trusted.getCertificatePEM()) + ", credentialSecretRef: {name: token}}}";
    }

    private static String certificate(String name, X509Bundle certificate, X509Bundle key) {
        return "{metadata: {name: " + name + "}, data: {tls.crt: " + base64(certificate.getCertificatePEM())
                + ", tls.key: " + base64(key.getPrivateKeyPEM()) + "}}";
    }

    private static X509Bundle identity() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** A server that answers everything with one code. */
    private static HttpsServer server(X509Bundle identity, int code) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
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

    private void forget(ClusterName cluster) {
        if (failuresToCome.getAndDecrement() > 0) {
            throw new IllegalStateException("of the test");
        }
        forgotten.add(cluster);
    }

    private Instant now() {
        if (errorsToCome.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
        return Instant.now();
    }
}
