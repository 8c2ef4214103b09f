package io.fairlead.fleet.publication;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.pki.PassingAuthority;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Supervised;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Publications of a root cluster in two targets that answer at once. */
final class PublicationsTest {
    private static final ClusterName EAST = new ClusterName("east");
    private static final ClusterName WEST = new ClusterName("west");
    private static final String PUBLICATIONS = "/apis/fairlead.io/v1alpha1/apipublications";
    private static final String API_SERVICE = FakeTarget.API_SERVICES + "/v1.example.com";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Map<ClusterName, Map<String, String>> registered =
            new ConcurrentHashMap<>(Map.of(EAST, Map.of("stage", "test"), WEST, Map.of("stage", "test")));
    private final Map<ClusterName, FakeTarget> targets = Map.of(EAST, new FakeTarget(), WEST, new FakeTarget());
    private final AtomicInteger errorsOfTurns = new AtomicInteger();
    private final AtomicInteger errorsOfLooks = new AtomicInteger();
    private final List<List<PublishedBackend>> served = new CopyOnWriteArrayList<>();
    private final Informers informers = new Informers(this::lookup, _ -> 1, Instant::now);
    private final Map<ClusterName, String> which = new ConcurrentHashMap<>();
    private volatile boolean isDown;

    private final Door door = new Door() {
        @Override
        public Serving certificate(String serverName) {
            return new Serving("chain of " + serverName, "key", "ca");
        }

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

    private final Publications publications = new Publications(
            root.root,
            this::clusters,
            name -> which.getOrDefault(name, "uid"),
            this::lookup,
            informers,
            this::calls,
            door,
            (backend, address, version, caBundle, prober) -> {},
            Instant::now);

    @AfterEach
    void close() {
        publications.close();
        informers.close();
        root.close();
    }

    private Map<ClusterName, Map<String, String>> clusters() {
        meetAnError(errorsOfTurns);
        return registered;
    }

    private static void meetAnError(AtomicInteger left) {
        if (left.getAndUpdate(errors -> Math.max(0, errors - 1)) > 0) {
            throw new OutOfMemoryError("of the test");
        }
    }

    /** Attached, but followed by no informer: changes are seen by looks alone. */
    private ClusterEntry lookup(ClusterName name) {
        return registered.containsKey(name)
                ? new ClusterEntry.Unready(name, "Test", "not to be followed")
                : new ClusterEntry.NotRegistered(name);
    }

    private ClusterCalls calls(ClusterName name) throws CallFailure {
        meetAnError(errorsOfLooks);
        if (isDown) {
            throw new CallFailure(0, "ConnectionFailed", "down");
        }
        if (name.value().equals("things")) {
            FakeTarget source = new FakeTarget();
            source.put("/apis/example.com/v1", discovery -> discovery.put("kind", "APIResourceList"));
            return source;
        }
        FakeTarget target = targets.get(name);
        if (target == null || !registered.containsKey(name)) {
            throw new CallFailure(0, "NotRegistered", "it is not registered");
        }
        target.aggregate();
        return target;
    }

    private void create(String target, String source) {
        Answer created = root.send(ADMIN, "POST", PUBLICATIONS, yaml(target, source));
        assertThat(created.code()).as("%s", created.body()).isEqualTo(201);
    }

    private static String yaml(String target, String source) {
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
    private String asStored(String yaml) {
        String version = stored().at("/metadata/resourceVersion").asString("");
        return yaml.replace("{name: widgets}", "{name: widgets, resourceVersion: \"" + version + "\"}");
    }

    private JsonNode stored() {
        return root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").body();
    }

    private String condition(String type, String field) {
        return Condition.in(stored().path("status"), type).path(field).asString("");
    }

    private FakeTarget target(ClusterName name) {
        return Objects.requireNonNull(targets.get(name));
    }

    private void trust(FakeTarget target, String clientCa) {
        target.put("/api/v1/namespaces/apis", namespace -> {});
        target.put(
                "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
                map -> map.putObject("data")
                        .put("requestheader-client-ca-file", clientCa)
                        .put("requestheader-allowed-names", "[\"front-proxy\"]")
                        .put("requestheader-username-headers", "[\"X-Remote-User\"]"));
    }

    @Test
    void requiredPublication_isKnownInItsTargets_fromTheFirstLookOn() {
        targets.values().forEach(target -> trust(target, "front"));
        assertThat(publications.required(EAST)).isEmpty();
        isDown = true;
        publications.start();
        create("{matchNames: [east]}", "{cluster: things}\n  gate: Required");
        eventually("it is awaited", () -> requiredIn(EAST).startsWith("FALSE ConnectionFailed"));
        assertThat(publications.required(WEST)).contains(Map.of());
        isDown = false;
        eventually("it is available", () -> requiredIn(EAST).equals("TRUE Passed"));
        isDown = true;
        which.put(EAST, "uid of another");
        eventually("another one is awaited as well", () -> requiredIn(EAST).startsWith("FALSE ConnectionFailed"));
    }

    private String requiredIn(ClusterName cluster) {
        Finding found = publications.required(cluster).orElse(Map.of()).get("widgets");
        return found == null ? "" : found.status() + " " + found.reason();
    }

    @Test
    void hostedGroup_isServedAndPublished_andTakenBackWhereItIsWantedNoMore() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchLabels: {stage: test}}", "{cluster: things}");

        eventually("it is available", () -> condition("Available", "status").equals("True"));
        assertThat(condition("Conflict", "status")).isEqualTo("False");
        assertThat(served.getLast())
                .extracting(backend -> backend.target() + " " + backend.serverName() + " "
                        + backend.trusted().allowedNames())
                .containsExactly("east gateway.apis.svc [front-proxy]", "west gateway.apis.svc [front-proxy]");
        JsonNode last = stored().at("/status/clusters/0/steps/5");
        assertThat(last.path("step").asString("") + " " + last.path("state").asString(""))
                .isEqualTo("Available Done");

        registered.put(EAST, Map.of());

        eventually(
                "it is taken back in one", () -> stored().at("/status/targets").asInt(0) == 1);
        assertThat(target(EAST).has(API_SERVICE)).isFalse();
        assertThat(target(EAST).has(FakeTarget.SERVICE)).isFalse();
        assertThat(target(WEST).has(API_SERVICE)).isTrue();
        assertThat(served.getLast()).extracting(PublishedBackend::target).containsExactly(WEST);

        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");

        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
        assertThat(target(WEST).has(API_SERVICE)).isFalse();
        assertThat(target(WEST).has(FakeTarget.SERVICE)).isFalse();
        assertThat(served.getLast()).isEmpty();
    }

    @Test
    void targetThatIsDown_keepsADeletedPublication_untilItIsBack() {
        registered.remove(WEST);
        publications.start();
        createExternal();
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        isDown = true;
        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");
        eventually(
                "it says what it waits for",
                () -> condition("Registered", "reason").equals("ConnectionFailed"));
        assertThat(target(EAST).has(API_SERVICE)).isTrue();

        isDown = false;
        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
        assertThat(target(EAST).objects).isEmpty();
    }

    @Test
    void clusterThatIsRegisteredNoMore_holdsNoDeletedPublication() {
        registered.remove(WEST);
        publications.start();
        createExternal();
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        registered.remove(EAST);
        root.send(ADMIN, "DELETE", PUBLICATIONS + "/widgets", "");

        eventually(
                "it is gone",
                () -> root.send(ADMIN, "GET", PUBLICATIONS + "/widgets", "").code() == 404);
    }

    @Test
    void frontProxyWhoseCaIsTheGatewaysOwn_isRefused() {
        registered.remove(WEST);
        trust(target(EAST), "own");
        publications.start();
        create("{all: true}", "{cluster: things}");

        eventually("it says so", () -> condition("BackendReady", "reason").equals("FrontProxyRefused"));
        assertThat(served).allSatisfy(backends -> assertThat(backends).isEmpty());
        assertThat(target(EAST).has(API_SERVICE)).isFalse();
    }

    @Test
    void clusterThatIsRegisteredNoMore_isServedNothing_thoughThePublicationStays() {
        targets.values().forEach(target -> trust(target, "front"));
        publications.start();
        create("{matchNames: [east, west]}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        registered.remove(EAST);

        eventually("it is one target", () -> stored().at("/status/targets").asInt(0) == 1);
        eventually(
                "the other is served",
                () -> served.getLast().stream()
                        .map(PublishedBackend::target)
                        .toList()
                        .equals(List.of(WEST)));
        assertThat(condition("Available", "status")).isEqualTo("True");
    }

    @Test
    void sourceThatIsExchanged_isServedNoMore_thoughTheOtherIsNotReady() {
        registered.remove(WEST);
        trust(target(EAST), "front");
        publications.start();
        create("{all: true}", "{cluster: things}");
        eventually("it is available", () -> condition("Available", "status").equals("True"));

        eventually(
                "the source is another one",
                () -> root.send(
                                        ADMIN,
                                        "PUT",
                                        PUBLICATIONS + "/widgets",
                                        asStored(yaml("{all: true}", "{cluster: others}")))
                                .code()
                        == 200);

        eventually("nothing is served", () -> served.getLast().isEmpty());
        eventually("it says why", () -> condition("BackendReady", "reason").equals("SourceNotReady"));
        assertThat(target(EAST).has(API_SERVICE)).isTrue();
    }

    @Test
    void error_endsNeitherThread() {
        registered.remove(WEST);
        publications.start();
        errorsOfTurns.set(2);
        errorsOfLooks.set(2);
        createExternal();

        eventually(
                "it is available in spite of errors",
                () -> condition("Available", "status").equals("True"));
        assertThat(errorsOfTurns).hasValue(0);
        assertThat(errorsOfLooks).hasValue(0);
        eventually(
                "both go on",
                () -> publications.work().stream()
                        .allMatch(work -> work.isAlive() && work.problem().isEmpty()));
        assertThat(publications.work()).extracting(Supervised::name).contains("publications");
    }

    private void createExternal() {
        String ca = Base64.getEncoder()
                .encodeToString(PassingAuthority.create("ca", Instant.now())
                        .certificate()
                        .getBytes(UTF_8));
        create("{all: true}", "{external: true}\n  caBundle: " + ca);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group: example.com | group: fairlead.io | spec.group",
                "group: example.com | group: rbac.authorization.k8s.io | spec.group",
                "group: example.com | group: things | spec.group",
                "{cluster: things} | {cluster: root} | spec.source.cluster",
                "{cluster: things} | {} | spec.source",
                "{cluster: things} | {external: true} | spec.caBundle",
                "groupPriority: 1000 | groupPriority: 20001 | spec.groupPriority",
                "name: v1 | name: V1 | spec.versions[0].name",
                "priority: 15 | priority: 0 | spec.versions[0].priority",
                "service: gateway | 'service: gateway, port: 0' | spec.backend.port",
                "service: gateway | 'service: gateway, clusterIP: None' | spec.backend.clusterIP",
                "service: gateway | service: 9gateway | spec.backend.service",
                "[10.1.1.1] | [127.0.0.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | [169.254.1.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | ['fe80::1'] | spec.backend.addresses[0]",
                "[10.1.1.1] | [0.0.0.0] | spec.backend.addresses[0]",
                "[10.1.1.1] | [224.0.0.1] | spec.backend.addresses[0]",
                "[10.1.1.1] | [example.com] | spec.backend.addresses[0]",
                "[10.1.1.1] | [10.1.1.1, '2001:db8::1'] | spec.backend.addresses[1]",
                "{all: true} | {} | spec.target",
            })
    void wrongField_isNamed(String right, String wrong, String field) {
        String yaml = yaml("{all: true}", "{cluster: things}");
        assertThat(yaml).contains(right);

        Answer refused = root.send(ADMIN, "POST", PUBLICATIONS, yaml.replace(right, wrong));

        assertThat(refused.code()).as("%s", refused.body()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes").values().stream()
                        .map(cause -> cause.path("field").asString("")))
                .contains(field);
    }

    @Test
    void whereItIsMade_cannotBeChanged() {
        create("{all: true}", "{cluster: things}");

        Answer refused = root.send(
                ADMIN,
                "PUT",
                PUBLICATIONS + "/widgets",
                asStored(yaml("{all: true}", "{cluster: things}").replace("service: gateway", "service: other")));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.backend.service").contains("field is immutable");
    }
}
