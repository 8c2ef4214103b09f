package io.fairlead.fleet.aggregation;

import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootCluster;
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
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;

/** A hosted cluster with every kind, whose APIServices a test makes and has looked at over real connections. */
abstract class AggregatedApisFixture {
    static final ClusterName DEV = new ClusterName("dev");
    static final ClusterName OTHER = new ClusterName("other");
    static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
    static final String BOATS = SERVICES + "/v1.example.com";
    static final String AUTHENTICATION = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final HostedCluster dev = root.hosted.open(DEV, BuiltIns.ALL);
    final Map<ClusterName, HostedCluster> open = new ConcurrentHashMap<>(Map.of(DEV, dev));
    final Transport transport = Transport.preferred();
    final EventLoopGroup loops = transport.newGroup(1, "backends-test");
    final Informers informers = new Informers(this::lookup, _ -> 1, Instant::now);
    final AtomicInteger errors = new AtomicInteger();
    UpstreamClient client = client("127.0.0.0/8", "::1");
    AggregatedApis apis = apis();

    ClusterEntry lookup(ClusterName name) {
        HostedCluster cluster = open.get(name);
        return cluster == null ? new ClusterEntry.NotRegistered(name) : new ClusterEntry.Hosted(cluster);
    }

    UpstreamClient client(String... allowed) {
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

    AggregatedApis apis() {
        return new AggregatedApis(
                this::registered, this::lookup, informers, client, root.root, true, InstantSource.system());
    }

    Set<ClusterName> registered() {
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

    void register(FakeBackend backend, String ca) {
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

    void create(String name, String group, String trust) {
        create(name, group, trust, 443);
    }

    void create(String name, String group, String trust, int port) {
        RootCluster.Answer answer = RootCluster.send(dev, "POST", SERVICES, apiService(name, group, trust, port));
        assertThat(answer.code()).as(answer.toString()).isEqualTo(201);
    }

    static String apiService(String name, String group, String trust, int port) {
        return "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: " + name
                + "}, spec: {group: " + group
                + ", version: v1, groupPriorityMinimum: 1000, versionPriority: 15, service: {namespace: shop, name:"
                + " api, port: "
                + port + "}, " + trust + "}}";
    }

    /** Has it connected to anew, so that it is checked at once: the port is the same, the trust not. */
    void touch() {
        RootCluster.Answer answer =
                RootCluster.send(dev, "PATCH", BOATS, "{spec: {caBundle: null, insecureSkipTLSVerify: true}}");
        assertThat(answer.code()).as(answer.toString()).isEqualTo(200);
    }

    void awaitCondition(String beginning) {
        eventually("the condition is \"" + beginning + "\"", () -> condition().startsWith(beginning));
    }

    String condition() {
        return said("v1.example.com");
    }

    String said(String name) {
        JsonNode condition =
                RootCluster.send(dev, "GET", SERVICES + "/" + name, "").body().at("/status/conditions/0");
        return condition.path("status").asString("") + " "
                + condition.path("reason").asString("") + " "
                + condition.path("message").asString("");
    }

    String transition() {
        return RootCluster.send(dev, "GET", BOATS, "")
                .body()
                .at("/status/conditions/0/lastTransitionTime")
                .asString("");
    }

    String uid() {
        return RootCluster.send(dev, "GET", BOATS, "")
                .body()
                .at("/metadata/uid")
                .asString("");
    }

    String shown() {
        return RootCluster.discovered(dev, "example.com");
    }

    static String ca(HostedCluster cluster) {
        return RootCluster.send(cluster, "GET", AUTHENTICATION, "")
                .body()
                .at("/data/requestheader-client-ca-file")
                .asString("");
    }

    long secrets() {
        return root.send(RootCluster.ADMIN, "GET", RootCluster.SECRETS, "")
                .body()
                .path("items")
                .valueStream()
                .filter(secret -> secret.at("/metadata/name").asString("").startsWith("front-proxy-"))
                .count();
    }
}
