package io.fairlead.fleet.aggregation;

import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.Pem;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.ApiServices;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.http.Transport;
import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.net.address.Cidr;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The backends of hosted clusters' APIServices, over real connections. */
@Timeout(60)
final class AggregatedApisTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterName OTHER = new ClusterName("other");
    private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String BOATS = SERVICES + "/v1.example.com";
    private static final String AUTHENTICATION =
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final HostedCluster dev = root.hosted.open(DEV, BuiltIns.ALL);
    private final Map<ClusterName, HostedCluster> open = new ConcurrentHashMap<>(Map.of(DEV, dev));
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(1, "backends-test");
    private final Informers informers = new Informers(this::lookup, _ -> 1, Instant::now);
    private final AtomicInteger errors = new AtomicInteger();
    private UpstreamClient client = client("127.0.0.0/8", "::1");
    private AggregatedApis apis = apis();

    private ClusterEntry lookup(ClusterName name) {
        HostedCluster cluster = open.get(name);
        return cluster == null ? new ClusterEntry.NotRegistered(name) : new ClusterEntry.Hosted(cluster);
    }

    private UpstreamClient client(String... allowed) {
        return new UpstreamClient(
                loops,
                transport,
                AddressPolicy.only(
                        List.of(allowed).stream().map(Cidr::parse).toList(),
                        "hosted.backendAddresses",
                        List.of(),
                        List::of),
                UpstreamLimits.defaults());
    }

    private AggregatedApis apis() {
        return new AggregatedApis(
                this::registered, this::lookup, informers, client, root.root, true, InstantSource.system());
    }

    private Set<ClusterName> registered() {
        if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("of the test");
        }
        return open.keySet();
    }

    @AfterEach
    void close() {
        apis.close();
        client.close();
        informers.close();
        root.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Test
    void backendThatAnswers_isServed_andItsDiscoveryShown() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("True Passed all checks passed");
            ClusterEntry.Attached served = apis.served(DEV, uid()).orElseThrow();
            assertThat(served.base().endpoints()).hasSize(1);
            assertThat(apis.finding(DEV, "v1.example.com")).contains(Finding.yes("Passed", "all checks passed"));
            assertThat(apis.finding(DEV, "v1.other.example.com")).isEmpty();
            assertThat(apis.served(OTHER, uid())).isEmpty();
            assertThat(backend.asked())
                    .contains("/apis/example.com/v1 system:kube-aggregator [system:masters]")
                    .allMatch(asked -> asked.endsWith(" system:kube-aggregator [system:masters]"));
            assertThat(shown())
                    .contains("\"resource\":\"boats\"", "\"freshness\":\"Current\"", "\"subresource\":\"scale\"");
        }
    }

    @Test
    void backendThatFails_isWithdrawn_andShownAsStale_untilItAnswersAgain() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();
            awaitCondition("True Passed all checks passed");
            String uid = uid();
            String before = transition();

            backend.status(500);
            touch();

            awaitCondition(
                    "False FailedDiscoveryCheck failing or missing response from /apis/example.com/v1: bad status from"
                            + " /apis/example.com/v1: 500");
            assertThat(apis.served(DEV, uid)).isEmpty();
            assertThat(shown()).contains("\"freshness\":\"Stale\"").doesNotContain("boats");
            assertThat(transition()).isGreaterThanOrEqualTo(before);

            backend.status(200);

            awaitCondition("True Passed all checks passed");
            assertThat(apis.served(DEV, uid)).isPresent();
        }
    }

    @Test
    void backendThatDoesNotProveItself_isNotServed() throws Exception {
        try (FakeBackend backend = new FakeBackend("another.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck ");
            assertThat(condition()).contains("another.shop.svc");
            assertThat(backend.asked()).isEmpty();
            assertThat(apis.served(DEV, uid())).isEmpty();
        }
    }

    @Test
    void backendThatNeedNotProveItself_isServed() throws Exception {
        try (FakeBackend backend = new FakeBackend("another.shop.svc")) {
            register(backend, "");
            apis.start();

            awaitCondition("True Passed all checks passed");
        }
    }

    @Test
    void addressThatIsNotAllowed_isNeverConnectedTo() throws Exception {
        client.close();
        client = client("10.0.0.0/8");
        apis = apis();
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck ");
            assertThat(condition()).contains("hosted.backendAddresses");
            assertThat(backend.asked()).isEmpty();
        }
    }

    @Test
    void discoveryOfTheBackend_isKeptAsFarAsItIsBounded() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            String large = ("{\"resource\": \"" + "x".repeat(10_000) + "\"},").repeat(20);
            backend.answer(
                    "/apis",
                    "{\"kind\": \"APIGroupDiscoveryList\", \"items\": [{\"metadata\": {\"name\": \"example.com\"},"
                            + " \"versions\": [{\"version\": \"v1\", \"resources\": [" + large
                            + " 7, {\"resource\": \"last\"}]}]}]}");
            register(backend, backend.identity.getCertificatePEM());
            apis.start();
            awaitCondition("True Passed all checks passed");

            assertThat(shown()).contains("xxx").doesNotContain("last").hasSizeLessThan(80_000);
        }
    }

    @Test
    void moreThanThereMayBe_areRefused() {
        apis.start();
        for (int i = 0; i < ApiServices.MAX; i++) {
            create("v1.g" + i + ".example.com", "g" + i + ".example.com", "insecureSkipTLSVerify: true");
        }
        int known = ApiServices.MAX;
        eventually("all are known", () -> dev.apiServices().orElseThrow().all().size() == known);

        RootCluster.Answer further = RootCluster.send(
                dev, "POST", SERVICES, apiService("v1.further.example.com", "further.example.com", "", 443));
        assertThat(further.code()).isEqualTo(403);
        assertThat(further.message()).contains("16");
        eventually("each is looked at", () -> said("v1.g0.example.com").startsWith("False ServiceNotFound"));
    }

    @ParameterizedTest
    @CsvSource({"a/b, api", ".., api", "shop, 'a;b'", "shop, a%b"})
    void servicesNamesThatAreNone_areRefused(String namespace, String name) {
        RootCluster.Answer refused = RootCluster.send(
                dev,
                "POST",
                SERVICES,
                apiService("v1.example.com", "example.com", "", 443)
                        .replace("namespace: shop, name: api", "namespace: '" + namespace + "', name: '" + name + "'"));

        assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
    }

    @Test
    void withoutAllowedAddresses_nothingIsLookedUp_norPrepared() throws Exception {
        apis = new AggregatedApis(
                this::registered, this::lookup, informers, client, root.root, false, InstantSource.system());
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck hosted.backendAddresses");
            assertThat(ca(dev)).isEmpty();
            assertThat(secrets()).isZero();
            assertThat(backend.asked()).isEmpty();
        }
    }

    @Test
    void changesAgainAndAgain_haveItAskedNoMoreOften_andLeaveIt() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, "");
            apis.start();
            awaitCondition("True Passed all checks passed");
            int before = backend.asked().size();
            long began = System.nanoTime();

            for (int i = 0; i < 12; i++) {
                String name = i % 2 == 0 ? "127.0.0.1" : "localhost";
                RootCluster.send(
                        dev, "PATCH", "/api/v1/namespaces/shop/services/api", "{spec: {externalName: " + name + "}}");
                LockSupport.parkNanos(400_000_000L);
            }

            long halfSeconds = (System.nanoTime() - began) / 500_000_000L;
            assertThat(backend.asked().size() - before).isLessThanOrEqualTo((int) (halfSeconds + 2) * 3);
            awaitCondition("True Passed all checks passed");
            eventually("it is served", () -> apis.served(DEV, uid()).isPresent());
        }
    }

    @Test
    void eachCluster_hasAFrontProxyOfItsOwn_aslongAsItIsRegistered() {
        open.put(OTHER, root.hosted.open(OTHER, BuiltIns.ALL));
        apis.start();
        eventually(
                "both are told",
                () -> ca(dev).length() > 0 && ca(open.get(OTHER)).length() > 0);

        assertThat(ca(dev)).isNotEqualTo(ca(open.get(OTHER)));
        assertThat(Pem.certificates("ca", ca(dev)))
                .singleElement()
                .satisfies(certificate -> assertThat(
                                certificate.getSubjectX500Principal().getName())
                        .contains("front-proxy-of-dev"));
        String before = ca(dev);
        apis.close();
        apis = apis();
        apis.start();
        eventually("it works again", () -> apis.finding(DEV, "none").isEmpty() && !ca(dev).isEmpty());
        assertThat(ca(dev)).isEqualTo(before);
    }

    @Test
    void secretsOfClustersThatAreGone_goToo() {
        FrontProxies proxies = new FrontProxies(new RootApi(root.root), InstantSource.system());
        apis.start();
        eventually("it is told", () -> ca(dev).length() > 0);
        assertThat(secrets()).isEqualTo(1);

        proxies.sweep(Set.of(DEV));
        assertThat(secrets()).isEqualTo(1);
        proxies.sweep(Set.of(OTHER));
        assertThat(secrets()).isZero();
    }

    @Test
    void error_endsNotTheLook() throws Exception {
        errors.set(1);
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("True Passed all checks passed");
        }
        assertThat(errors).hasValue(0);
        assertThat(apis.work().isAlive()).isTrue();
    }

    private void register(FakeBackend backend, String ca) {
        RootCluster.send(dev, "POST", "/api/v1/namespaces", "{metadata: {name: shop}}");
        RootCluster.Answer service = RootCluster.send(
                dev,
                "POST",
                "/api/v1/namespaces/shop/services",
                "{metadata: {name: api}, spec: {type: ExternalName, externalName: localhost}}");
        assertThat(service.code()).as(service.toString()).isEqualTo(201);
        create(
                "v1.example.com",
                "example.com",
                ca.isEmpty() ? "insecureSkipTLSVerify: true" : "caBundle: " + base64(ca),
                backend.port());
    }

    private void create(String name, String group, String trust) {
        create(name, group, trust, 443);
    }

    private void create(String name, String group, String trust, int port) {
        RootCluster.Answer answer = RootCluster.send(dev, "POST", SERVICES, apiService(name, group, trust, port));
        assertThat(answer.code()).as(answer.toString()).isEqualTo(201);
    }

    private static String apiService(String name, String group, String trust, int port) {
        return "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: " + name
                + "}, spec: {group: " + group
                + ", version: v1, groupPriorityMinimum: 1000, versionPriority: 15, service: {namespace: shop, name:"
                + " api, port: "
                + port + "}, " + trust + "}}";
    }

    /** Has it connected to anew, so that it is checked at once: the port is the same, the trust not. */
    private void touch() {
        RootCluster.Answer answer =
                RootCluster.send(dev, "PATCH", BOATS, "{spec: {caBundle: null, insecureSkipTLSVerify: true}}");
        assertThat(answer.code()).as(answer.toString()).isEqualTo(200);
    }

    private void awaitCondition(String beginning) {
        eventually("the condition is \"" + beginning + "\"", () -> condition().startsWith(beginning));
    }

    private String condition() {
        return said("v1.example.com");
    }

    private String said(String name) {
        JsonNode condition =
                RootCluster.send(dev, "GET", SERVICES + "/" + name, "").body().at("/status/conditions/0");
        return condition.path("status").asString("") + " "
                + condition.path("reason").asString("") + " "
                + condition.path("message").asString("");
    }

    private String transition() {
        return RootCluster.send(dev, "GET", BOATS, "")
                .body()
                .at("/status/conditions/0/lastTransitionTime")
                .asString("");
    }

    private String uid() {
        return RootCluster.send(dev, "GET", BOATS, "")
                .body()
                .at("/metadata/uid")
                .asString("");
    }

    private String shown() {
        return RootCluster.discovered(dev, "example.com");
    }

    private static String ca(HostedCluster cluster) {
        return RootCluster.send(cluster, "GET", AUTHENTICATION, "")
                .body()
                .at("/data/requestheader-client-ca-file")
                .asString("");
    }

    private long secrets() {
        return root.send(RootCluster.ADMIN, "GET", RootCluster.SECRETS, "")
                .body()
                .path("items")
                .valueStream()
                .filter(secret -> secret.at("/metadata/name").asString("").startsWith("front-proxy-"))
                .count();
    }
}
