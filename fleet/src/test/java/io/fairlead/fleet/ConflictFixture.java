package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** A fleet whose clusters' identities are checked every 100 ms, and that can be restarted. */
abstract class ConflictFixture {
    final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(1, "conflict-test");
    private final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    private final List<FakeCluster> servers = new ArrayList<>();
    final List<String> withheld = new CopyOnWriteArrayList<>();
    Served process = new Served();

    /** How often clusters, and their identities, are looked at. */
    Duration checkedEvery() {
        return Duration.ofMillis(100);
    }

    /** What a restart replaces. */
    final class Served implements AutoCloseable {
        final FleetIndex index = FleetIndex.create();
        private final StatusInbox inbox = new StatusInbox();
        private final ClusterSync sync = new ClusterSync(
                index,
                upstreams,
                _ -> ConnectionMetrics.NONE,
                TestSettings.sync(checkedEvery(), checkedEvery()),
                inbox,
                InstantSource.system(),
                new Random(1),
                HistoryMetrics.NONE,
                Duration.ofSeconds(60));
        final ClusterIdentities identities = new ClusterIdentities(InstantSource.system(), ConflictTransitions.NONE);
        final Fleet fleet = new Fleet(root.hosted, sync, index, inbox, InstantSource.system(), identities, _ -> {});

        void start() {
            fleet.register();
            fleet.whenWithheld(name -> withheld.add(name.value()));
            fleet.start("https://localhost:6443");
        }

        @Override
        public void close() {
            fleet.close();
            sync.close();
        }
    }

    @BeforeEach
    void start() {
        root.secret("token", "token", "t0ken");
        process.start();
    }

    @AfterEach
    void close() {
        process.close();
        upstreams.close();
        root.close();
        servers.forEach(FakeCluster::close);
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    void restart() {
        process.close();
        process = new Served();
        process.start();
    }

    FakeCluster server(String uid, String... keys) {
        FakeCluster server = new FakeCluster(uid, keys);
        servers.add(server);
        return server;
    }

    void register(String name, String spec) {
        root.create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: " + spec
                        + "}");
    }

    void registerReady(String name, FakeCluster server) {
        register(name, server.spec());
        await(name, "Ready", "True Ready");
    }

    void patch(String name, String patch) {
        root.send(ADMIN, "PATCH", CLUSTERS + "/" + name, patch);
    }

    void delete(String name) {
        root.send(ADMIN, "DELETE", CLUSTERS + "/" + name, "");
    }

    void await(String name, String condition, String expected) {
        eventually(
                name + ": " + condition + " is " + expected,
                () -> condition(name, condition).equals(expected));
    }

    String condition(String name, String type) {
        JsonNode condition = found(name, type);
        return condition.path("status").asString("") + " "
                + condition.path("reason").asString("");
    }

    String message(String name, String type) {
        return found(name, type).path("message").asString("");
    }

    JsonNode status(String name) {
        return root.cluster(name).path("status");
    }

    /** The names of those in conflict with a cluster, as its status says. */
    List<String> peers(String name) {
        return status(name).at("/conflicts/0/peers").values().stream()
                .map(peer ->
                        peer.path("name").asString("") + " " + peer.path("role").asString(""))
                .toList();
    }

    ClusterEntry entry(String name) {
        return process.fleet.lookup(new ClusterName(name));
    }

    List<String> events(String name) {
        return root.send(ADMIN, "GET", "/api/v1/namespaces/default/events", "").body().path("items").values().stream()
                .filter(event -> event.at("/involvedObject/name").asString("").equals(name))
                .map(event -> event.path("reason").asString(""))
                .toList();
    }

    private JsonNode found(String name, String type) {
        return status(name).path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst()
                .orElseGet(Json::object);
    }
}
