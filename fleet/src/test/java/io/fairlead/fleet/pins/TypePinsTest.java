package io.fairlead.fleet.pins;

import static io.fairlead.fleet.pins.PinnedBoats.DEV;
import static io.fairlead.fleet.pins.PinnedBoats.PINS;
import static io.fairlead.fleet.pins.PinnedBoats.PROD;
import static io.fairlead.fleet.pins.PinnedBoats.TEST;
import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Pins say what holds of them now, and what cannot be pinned is refused at once. */
class TypePinsTest {
    private final PinnedBoats boats = new PinnedBoats();
    private final RootCluster root = boats.root;
    private final ConcurrentMap<ClusterName, Finding> found = new ConcurrentHashMap<>();
    private final TypePins pins = boats.pins(root.root, _ -> {}, found::putAll);

    @BeforeEach
    void start() {
        boats.define(DEV, boats.good);
        boats.define(PROD, boats.good);
        pins.start();
    }

    @AfterEach
    void close() {
        pins.close();
        boats.close();
    }

    @Test
    void conditions_sayWhichClusterDriftsAndThatItWasRepaired() {
        boats.create("boats", "clusters: {all: true}, group: example.com, kind: Boat, consistentAcross: {all: true}");
        awaitCondition("boats", "Satisfied", "True");
        awaitCondition("boats", "Stale", "False");

        boats.define(PROD, boats.bad);
        awaitCondition("boats", "Satisfied", "False");
        assertThat(condition("boats", "Satisfied").path("message").asString(""))
                .contains("\"prod\"", boats.good.api().text(), boats.bad.api().text());

        boats.define(PROD, boats.good);
        awaitCondition("boats", "Satisfied", "True");
        assertThat(root.send(ADMIN, "GET", PINS + "/boats", "")
                        .body()
                        .at("/status/types")
                        .asInt(0))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        matchNames: [prod]             | boats | no cluster that it selects defines kind "boats" of group "example.com" (the group's kinds there: "Boat")
        matchNames: [nope, none]       | Boat  | no cluster that it selects is registered: "none"; "nope"
        matchLabels: {stage: nowhere}  | Boat  | no registered cluster is one that it selects
        """)
    void pinOfNothing_isWarnedOfAsItIsWritten_andSaysSo(String clusters, String kind, String why) {
        root.pinWarnings.by(pins);
        String spec = "clusters: {" + clusters + "}, group: example.com, kind: " + kind
                + ", onMismatch: Audit, allow: ['" + boats.good.api() + "']";

        Answer written = root.send(
                ADMIN,
                "POST",
                PINS,
                "{apiVersion: fairlead.io/v1alpha1, kind: TypePin, metadata: {name: boats}, spec: {" + spec + "}}");

        assertThat(written.code()).isEqualTo(201);
        assertThat(written.warnings())
                .singleElement()
                .asString()
                .isEqualTo("299 - \"TypePin \\\"boats\\\" is about nothing now: " + why.replace("\"", "\\\"") + "\"");
        eventually(
                "it says so",
                () -> condition("boats", "Satisfied")
                        .path("message")
                        .asString("")
                        .equals(why));
        assertThat(condition("boats", "Satisfied").path("reason").asString("")).isEqualTo("NothingPinned");

        Answer mended = root.send(
                ADMIN,
                "PATCH",
                PINS + "/boats",
                "{spec: {kind: Boat, clusters: {matchLabels: null, matchNames: [prod]}}}");
        assertThat(mended.code()).isEqualTo(200);
        assertThat(mended.warnings()).isEmpty();
    }

    @Test
    void compatibleWith_isWorkedOutByItself() {
        boats.define(TEST, boats.bad);
        boats.create(
                "fits",
                "clusters: {matchNames: [prod]}, group: example.com, compatibleWith: '" + boats.bad.api() + "'");
        awaitCondition("fits", "Satisfied", "True");

        boats.define(TEST, boats.good);
        boats.define(PROD, boats.bad);
        root.send(ADMIN, "DELETE", PINS + "/fits", "");
        boats.create(
                "fits-not",
                "clusters: {matchNames: [prod]}, group: example.com, compatibleWith: '" + boats.good.api() + "'");
        awaitCondition("fits-not", "Satisfied", "False");
        assertThat(condition("fits-not", "Satisfied").path("message").asString(""))
                .contains("Narrower");
    }

    @Test
    void conditions_ofStaleEvidence_areUnknownUntilItIsHeardOfAgain() {
        boats.create(
                "boats",
                "clusters: {matchLabels: {stage: prod}}, group: example.com, allow: ['" + boats.good.api() + "']");
        awaitCondition("boats", "Satisfied", "True");

        boats.silentNanos.set(Duration.ofMinutes(3).toNanos());
        awaitCondition("boats", "Stale", "True");
        assertThat(condition("boats", "Satisfied").path("status").asString("")).isEqualTo("Unknown");
        assertThat(condition("boats", "Stale").path("message").asString(""))
                .contains("prod")
                .doesNotContain("dev");

        boats.silentNanos.set(0);
        awaitCondition("boats", "Satisfied", "True");
    }

    @Test
    void conditions_ofADefinitionThatCannotBeRead_areNotSatisfied() {
        boats.create(
                "boats",
                "clusters: {all: true}, group: example.com, kind: Boat, onMismatch: Audit, allow: ['" + boats.good.api()
                        + "']");
        awaitCondition("boats", "Satisfied", "True");

        boats.define(PROD, null);

        awaitCondition("boats", "Satisfied", "False");
        assertThat(condition("boats", "Satisfied").path("message").asString("")).contains("\"prod\"", "cannot be read");
    }

    @Test
    void drift_isAFindingOfTheOddClusterAndAnEvent() {
        boats.define(TEST, boats.good);
        boats.register(PROD);
        boats.create("boats", "clusters: {all: true}, group: example.com, consistentAcross: {all: true}");
        eventually("all are looked at", () -> found.size() == 3);
        assertThat(found.values()).allMatch(finding -> finding.status() == Finding.Status.TRUE);

        boats.define(PROD, boats.bad);

        eventually(
                "prod is the odd one",
                () -> Objects.requireNonNull(found.get(PROD)).status() == Finding.Status.FALSE);
        assertThat(Objects.requireNonNull(found.get(PROD)).message())
                .as("who may read one cluster's object need not know of others")
                .contains("Boat.example.com", boats.bad.api().text(), "2 other clusters")
                .doesNotContain("dev", "test", boats.good.api().text());
        assertThat(Objects.requireNonNull(found.get(DEV)).status()).isEqualTo(Finding.Status.TRUE);
        eventually("the event is told", () -> boats.events().contains("TypeDrift"));
        assertThat(boats.events())
                .contains(
                        boats.good.api().text(),
                        boats.bad.api().text(),
                        "Boat.example.com",
                        "Narrower",
                        "\"name\":\"prod\"");
    }

    @Test
    void kindThatIsCalledOtherwise_isADriftToo() {
        boats.call(PROD, "ships");
        boats.create("boats", "clusters: {all: true}, group: example.com, consistentAcross: {all: true}");

        eventually(
                "prod is odd",
                () -> found.containsKey(PROD)
                        && Objects.requireNonNull(found.get(PROD)).status() == Finding.Status.FALSE);
        assertThat(Objects.requireNonNull(found.get(PROD)).message()).contains("Boat.example.com", "1 other cluster");
    }

    @Test
    void table_saysWhatIsPinnedAndWhetherItHolds() {
        boats.create(
                "boats",
                "clusters: {matchNames: [prod]}, group: example.com, kind: Boat, allow: ['" + boats.bad.api() + "']");
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
        Answer answer = root.send(ADMIN, "POST", PINS, PinnedBoats.text("p", spec));

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
                PinnedBoats.text(
                        "p",
                        "clusters: {all: true}, group: a.b, allow: ['" + boats.good.api()
                                + "'], consistentAcross: {all: true}"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains("at most one of");
    }

    private void awaitCondition(String pin, String type, String status) {
        eventually(
                pin + " is " + type + "=" + status,
                () -> condition(pin, type).path("status").asString("").equals(status));
    }

    private JsonNode condition(String pin, String type) {
        return Condition.in(root.send(ADMIN, "GET", PINS + "/" + pin, "").body().path("status"), type);
    }
}
