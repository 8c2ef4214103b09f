package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.pki.SigningAuthority;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Publications of a root cluster in two targets that answer at once. */
abstract class PublicationsFixture {
    static final ClusterName EAST = new ClusterName("east");
    static final ClusterName WEST = new ClusterName("west");
    static final String PUBLICATIONS = "/apis/fairlead.io/v1alpha1/apipublications";
    static final String API_SERVICE = FakeTarget.API_SERVICES + "/v1.example.com";

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final Map<ClusterName, Map<String, String>> registered =
            new ConcurrentHashMap<>(Map.of(EAST, Map.of("stage", "test"), WEST, Map.of("stage", "test")));
    final Map<ClusterName, FakeTarget> targets = Map.of(EAST, new FakeTarget(), WEST, new FakeTarget());
    final AtomicInteger errorsOfTurns = new AtomicInteger();
    final AtomicInteger errorsOfLooks = new AtomicInteger();
    final List<List<PublishedBackend>> served = new CopyOnWriteArrayList<>();
    final Informers informers = new Informers(this::lookup, _ -> 1, Instant::now);
    final Map<ClusterName, String> which = new ConcurrentHashMap<>();
    final AtomicInteger turns = new AtomicInteger();
    final Map<ClusterName, ClusterName> aliases = new ConcurrentHashMap<>();
    volatile Duration ahead = Duration.ZERO;
    volatile boolean isDown;
    volatile boolean isSourceDown;
    volatile String size = "integer";

    final Door door = new Door() {
        @Override
        public Optional<String> refusal(RequestHeaders trusted) {
            return trusted.clientCa().equals("own") ? Optional.of("it is the gateway's own") : Optional.empty();
        }

        @Override
        public Prober prober(ClusterName target) {
            return new Prober("prober", "key");
        }

        @Override
        public void publish(List<PublishedBackend> backends) {
            served.add(backends);
        }
    };

    final Publications publications = publications();

    Publications publications() {
        return new Publications(
                root.root,
                new RegisteredClusters() {
                    @Override
                    public Map<ClusterName, Map<String, String>> get() {
                        return clusters();
                    }

                    @Override
                    public @Nullable ClusterName aliasOf(ClusterName name) {
                        return aliases.get(name);
                    }
                },
                name -> which.getOrDefault(name, "uid"),
                this::lookup,
                informers,
                this::calls,
                door,
                (backend, address, version, caBundle, prober) -> {},
                () -> Instant.now().plus(ahead));
    }

    @AfterEach
    void close() {
        publications.close();
        informers.close();
        root.close();
    }

    Map<ClusterName, Map<String, String>> clusters() {
        turns.incrementAndGet();
        meetAnError(errorsOfTurns);
        return registered;
    }

    static void meetAnError(AtomicInteger left) {
        if (left.getAndUpdate(errors -> Math.max(0, errors - 1)) > 0) {
            throw new OutOfMemoryError("of the test");
        }
    }

    /** Attached, but followed by no informer: changes are seen by looks alone. */
    ClusterEntry lookup(ClusterName name) {
        return registered.containsKey(name)
                ? new ClusterEntry.Unready(name, "Test", "not to be followed")
                : new ClusterEntry.NotRegistered(name);
    }

    ClusterCalls calls(ClusterName name) throws CallFailure {
        meetAnError(errorsOfLooks);
        if (isDown) {
            throw new CallFailure(0, "ConnectionFailed", "down");
        }
        if (name.value().equals("things") && isSourceDown) {
            throw new CallFailure(0, "ClusterOpening", "it is being opened");
        }
        if (name.value().equals("things")) {
            FakeTarget source = new FakeTarget();
            source.put("/apis/example.com/v1", discovery -> discovery.put("kind", "APIResourceList"));
            source.put("/apis/example.com/v2", discovery -> discovery.put("kind", "APIResourceList"));
            source.put(
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
                    definition -> definition.setAll(widgets(size)));
            return source;
        }
        FakeTarget target = targets.get(name);
        if (target == null || !registered.containsKey(name)) {
            throw new CallFailure(0, "NotRegistered", "it is not registered");
        }
        target.aggregate();
        return target;
    }

    static ObjectNode widgets(String size) {
        return (ObjectNode) Json.read("""
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "spec": {"group": "example.com", "scope": "Namespaced",
              "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
              "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"size": {"type": "%s"}}}}}]}}
            """.formatted(size));
    }

    void create(String target, String source) {
        Answer created = root.send(ADMIN, "POST", PUBLICATIONS, yaml(target, source));
        assertThat(created.code()).as("%s", created.body()).isEqualTo(201);
    }

    static String yaml(String target, String source) {
        return """
            apiVersion: fairlead.io/v1alpha1
            kind: APIPublication
            metadata: {name: widgets}
            spec:
              target: %s
              group: example.com
              versions: [{name: v1, priority: 15}]
              groupPriority: 1000
              source: %s
              backend: {namespace: apis, service: gateway, addresses: [10.1.1.1]}
            """.formatted(target, source);
    }

    /** With the version of what is stored, which an update names. */
    String asStored(String yaml) {
        String version = stored().at("/metadata/resourceVersion").asString("");
        return yaml.replace("{name: widgets}", "{name: widgets, resourceVersion: \"" + version + "\"}");
    }

    JsonNode stored() {
        return root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").body();
    }

    String condition(String type, String field) {
        return Condition.in(stored().path("status"), type).path(field).asString("");
    }

    FakeTarget target(ClusterName name) {
        return Objects.requireNonNull(targets.get(name));
    }

    void trust(FakeTarget target, String clientCa) {
        target.put("/api/v1/namespaces/apis", namespace -> {});
        target.put(
                "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
                map -> map.putObject("data")
                        .put("requestheader-client-ca-file", clientCa)
                        .put("requestheader-allowed-names", "[\"front-proxy\"]")
                        .put("requestheader-username-headers", "[\"X-Remote-User\"]"));
    }

    void createExternal() {
        String ca = Base64.getEncoder()
                .encodeToString(SigningAuthority.create("ca", Instant.now())
                        .certificate()
                        .getBytes(UTF_8));
        create("{all: true}", "{external: true}\n  caBundle: " + ca);
    }

    String requiredIn(ClusterName cluster) {
        Finding found = publications.required(cluster).orElse(Map.of()).get("widgets");
        return found == null ? "" : found.status() + " " + found.reason();
    }
}
