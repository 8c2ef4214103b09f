package io.fairlead.gateway.fleet;

import static io.fairlead.gateway.fleet.RootCluster.ADMIN;
import static io.fairlead.gateway.fleet.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.Finding;
import io.fairlead.gateway.fleet.RootCluster.Answer;
import io.fairlead.gateway.pin.Boats;
import io.fairlead.gateway.pin.Judge;
import io.fairlead.gateway.pin.KnownTypes;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Pins say what holds of them now, and what cannot be pinned is refused at once. */
class TypePinsTest {
    private static final String PINS = "/apis/fairlead.io/v1alpha1/typepins";
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterName TEST = new ClusterName("test");
    private static final ClusterName PROD = new ClusterName("prod");

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final FleetIndex index = FleetIndex.create();
    private final DefinedType good = Boats.upTo(10, index);
    private final DefinedType bad = Boats.upTo(8, index);
    private final AtomicLong silentNanos = new AtomicLong();
    private final Map<ClusterName, ClusterLedger> ledgers = new HashMap<>();
    private final ConcurrentMap<ClusterName, Finding> found = new ConcurrentHashMap<>();
    private final TypePins pins = new TypePins(
            root.root,
            index,
            new Judge(new KnownTypes(index, _ -> silentNanos.get(), Duration.ofMinutes(2)), index.types()),
            () -> Map.of(DEV, Map.of("stage", "dev"), PROD, Map.of("stage", "prod"), TEST, Map.of()),
            _ -> {},
            found::putAll,
            InstantSource.system());

    @BeforeEach
    void start() {
        define(DEV, good);
        define(PROD, good);
        pins.start();
    }

    @AfterEach
    void close() {
        pins.close();
        root.close();
    }

    @Test
    void conditions_sayWhichClusterDriftsAndThatItWasRepaired() {
        create("boats", "clusters: {all: true}, group: example.com, kind: Boat, consistentAcross: {all: true}");
        awaitCondition("boats", "Satisfied", "True");
        awaitCondition("boats", "Stale", "False");

        define(PROD, bad);
        awaitCondition("boats", "Satisfied", "False");
        assertThat(condition("boats", "Satisfied").path("message").asString(""))
                .contains("\"prod\"", good.api().text(), bad.api().text());

        define(PROD, good);
        awaitCondition("boats", "Satisfied", "True");
        assertThat(root.send(ADMIN, "GET", PINS + "/boats", "")
                        .body()
                        .at("/status/types")
                        .asInt(0))
                .isEqualTo(2);
    }

    @Test
    void compatibleWith_isWorkedOutByItself() {
        define(TEST, bad);
        create("fits", "clusters: {matchNames: [prod]}, group: example.com, compatibleWith: '" + bad.api() + "'");
        awaitCondition("fits", "Satisfied", "True");

        define(TEST, good);
        define(PROD, bad);
        root.send(ADMIN, "DELETE", PINS + "/fits", "");
        create("fits-not", "clusters: {matchNames: [prod]}, group: example.com, compatibleWith: '" + good.api() + "'");
        awaitCondition("fits-not", "Satisfied", "False");
        assertThat(condition("fits-not", "Satisfied").path("message").asString(""))
                .contains("Narrower");
    }

    @Test
    void conditions_ofStaleEvidence_areUnknownUntilItIsHeardOfAgain() {
        create("boats", "clusters: {matchLabels: {stage: prod}}, group: example.com, allow: ['" + good.api() + "']");
        awaitCondition("boats", "Satisfied", "True");

        silentNanos.set(Duration.ofMinutes(3).toNanos());
        awaitCondition("boats", "Stale", "True");
        assertThat(condition("boats", "Satisfied").path("status").asString("")).isEqualTo("Unknown");
        assertThat(condition("boats", "Stale").path("message").asString(""))
                .contains("prod")
                .doesNotContain("dev");

        silentNanos.set(0);
        awaitCondition("boats", "Satisfied", "True");
    }

    @Test
    void drift_isAFindingOfTheOddClusterAndAnEvent() {
        define(TEST, good);
        root.create(
                "/apis/fairlead.io/v1alpha1/clusters",
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: prod}, spec: {hosted: {}}}");
        create("boats", "clusters: {all: true}, group: example.com, consistentAcross: {all: true}");
        eventually("all are looked at", () -> found.size() == 3);
        assertThat(found.values()).allMatch(finding -> finding.status() == Finding.Status.TRUE);

        define(PROD, bad);

        eventually(
                "prod is the odd one",
                () -> Objects.requireNonNull(found.get(PROD)).status() == Finding.Status.FALSE);
        assertThat(Objects.requireNonNull(found.get(DEV)).status()).isEqualTo(Finding.Status.TRUE);
        eventually("the event is told", () -> events().contains("TypeDrift"));
        assertThat(events())
                .contains(good.api().text(), bad.api().text(), "Boat.example.com", "Narrower", "\"name\":\"prod\"");
    }

    @Test
    void table_saysWhatIsPinnedAndWhetherItHolds() {
        create("boats", "clusters: {matchNames: [prod]}, group: example.com, kind: Boat, allow: ['" + bad.api() + "']");
        awaitCondition("boats", "Satisfied", "False");

        JsonNode cells = root.table(PINS + "/boats").at("/rows/0/cells");

        assertThat(cells.values().stream().limit(6).map(cell -> cell.asString("")))
                .containsExactly("boats", "example.com", "Boat", "Deny", "False", "False");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        clusters: {}, group: a.b, implementations: [x]                              | spec.clusters
        clusters: {all: true, matchNames: [a]}, group: a.b, implementations: [x]    | spec.clusters
        clusters: {all: false}, group: a.b, implementations: [x]                    | spec.clusters.all
        clusters: {matchNames: [A]}, group: a.b, implementations: [x]               | spec.clusters.matchNames[0]
        clusters: {all: true}, group: a.b                                           | spec
        clusters: {all: true}, group: a.b, allow: ['sha256:00']                     | spec.allow[0]
        clusters: {all: true}, group: '', implementations: [x]                      | spec.group
        clusters: {all: true}, group: fairlead.io, implementations: [x]             | spec.group
        clusters: {all: true}, group: a.b, implementations: [x], verbs: [write]     | spec.verbs[0]
        clusters: {all: true}, group: a.b, implementations: [x], onMismatch: Panic  | spec.onMismatch
        clusters: {all: true}, group: a.b, consistentAcross: {}                     | spec.consistentAcross
        """)
    void pin_thatCannotBe_isRefusedNamingTheField(String spec, String field) {
        Answer answer = root.send(ADMIN, "POST", PINS, pin("p", spec));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).contains(field);
    }

    @Test
    void examples_ofTheRepository_areAccepted() throws Exception {
        Path example = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
                .toAbsolutePath()
                .resolveSibling("config")
                .resolve("examples/pins/databases.yaml");

        for (Document document : Yaml.readAll(Files.readAllBytes(example))) {
            JsonNode pin = document.root();
            root.create(PINS, pin.toString());
            awaitCondition(pin.at("/metadata/name").asString(""), "Stale", "False");
        }
    }

    @Test
    void pin_withTwoRequirements_isRefused() {
        Answer answer = root.send(
                ADMIN,
                "POST",
                PINS,
                pin(
                        "p",
                        "clusters: {all: true}, group: a.b, allow: ['" + good.api()
                                + "'], consistentAcross: {all: true}"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains("at most one of");
    }

    private void create(String name, String spec) {
        root.create(PINS, pin(name, spec));
    }

    private static String pin(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: TypePin, metadata: {name: " + name + "}, spec: {" + spec
                + "}}";
    }

    private String events() {
        return root.send(ADMIN, "GET", "/api/v1/namespaces/default/events", "")
                .body()
                .toString();
    }

    private void awaitCondition(String pin, String type, String status) {
        eventually(
                pin + " is " + type + "=" + status,
                () -> condition(pin, type).path("status").asString("").equals(status));
    }

    private JsonNode condition(String pin, String type) {
        return Condition.in(root.send(ADMIN, "GET", PINS + "/" + pin, "").body().path("status"), type);
    }

    private void define(ClusterName cluster, DefinedType type) {
        Holder crd = new Holder(
                HolderType.CRD,
                "boats.example.com",
                "uid",
                "",
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("boats"))),
                type,
                "");
        ledgers.computeIfAbsent(cluster, name -> index.open(name, Set.of(HolderType.CRD)))
                .relist(Set.of(HolderType.CRD), List.of(crd), "");
    }
}
