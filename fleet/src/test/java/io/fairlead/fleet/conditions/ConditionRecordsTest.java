package io.fairlead.fleet.conditions;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conditions.TimeLine;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is recorded of objects of a hosted cluster, here of the root cluster's own namespaces. */
final class ConditionRecordsTest {
    private static final String RECORDS = "/apis/fairlead.io/v1alpha1/conditionrecords";
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final ClusterName HOME = new ClusterName("home");
    private static final ObjectKey SHOP = new ObjectKey(HOME, "", "shop");

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Map<ClusterName, Map<String, String>> clusters =
            new ConcurrentHashMap<>(Map.of(HOME, Map.of("stage", "production")));
    private final AtomicInteger errorsToCome = new AtomicInteger();
    private final AtomicLong epoch = new AtomicLong(1);

    @TempDir
    private Path folder;

    private final Informers informers = new Informers(this::lookup, _ -> epoch.get(), Instant::now);

    private ConditionRecords records;

    @BeforeEach
    void start() {
        records = process();
    }

    @AfterEach
    void close() {
        records.close();
        informers.close();
        root.close();
    }

    @Test
    void restoredTransitionTime_isMarked_countedOnce_andTold() {
        record(
                "ready",
                "clusters: {matchLabels: {stage: production}}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        state("False", "12:00:00");
        state("True", "11:00:00");
        eventually("three rows", () -> rows().size() == 3);

        assertThat(rows().stream().map(row -> row.claim().status())).containsExactly("True", "False", "True");
        assertThat(verdicts())
                .containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED, ConditionVerdict.TRAVELLED);
        assertThat(rows().stream().map(ConditionRow::observed)).isSorted();
        assertThat(counts()).containsExactly("home namespaces Ready 1");
        eventually("the event is there", () -> events().size() == 1);
        JsonNode event = events().getFirst();
        assertThat(event.path("message").asString(""))
                .startsWith("condition Ready became True, observed at ")
                .contains("and states 2026-01-02T11:00:00Z, which is not later");
        assertThat(event.at("/involvedObject/kind").asString("")).isEqualTo("Namespace");
        assertThat(event.at("/involvedObject/uid").asString("")).isNotEmpty();
    }

    @Test
    void heartbeatOrAnotherReason_isNoTransition() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        status("{type: Ready, status: 'True', reason: Other, lastTransitionTime: '2026-01-02T11:00:00Z'}");
        state("False", "12:00:00");
        eventually("the transition is seen", () -> rows().size() == 2);

        assertThat(verdicts()).containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED);
    }

    @Test
    void rows_surviveARestart_afterWhichTheFirstSightIsMarked() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        state("False", "12:00:00");
        eventually("both are seen", () -> rows().size() == 2);
        List<ConditionRow> before = rows();
        records.close();
        state("True", "11:00:00"); // while no process runs

        records = process();
        eventually("it is seen again", () -> rows().size() == 3);

        assertThat(rows().subList(0, 2)).isEqualTo(before);
        assertThat(verdicts().getLast()).isEqualTo(ConditionVerdict.FIRST_SIGHT);
        assertThat(counts()).containsExactly("home namespaces Ready 0");
        state("False", "12:00:00");
        eventually("the next one travels", () -> counts().equals(List.of("home namespaces Ready 1")));
    }

    @Test
    void objectThatIsGone_keepsItsRows() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        eventually("it is seen", () -> rows().size() == 1);

        root.send(ADMIN, "DELETE", NAMESPACES + "/shop", "");

        eventually("it is gone", () -> verdicts().contains(ConditionVerdict.REMOVED));
    }

    @Test
    void otherHistory_isListedAnew() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        epoch.set(2);
        shop();
        state("True", "11:00:00");

        eventually("it is seen", () -> rows().size() == 1);
    }

    /** They share a list and a watch, which is listed again for the second. */
    @Test
    void secondRecordOfTheSameObjects_isFilled_andTheFirstOneInventsNoTransition() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        state("False", "12:00:00");
        eventually("both are seen", () -> rows("ready").size() == 2);

        record("second", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        eventually("it is filled", () -> rows("second").size() == 1);
        assertThat(rows("second").getFirst().verdict()).isEqualTo(ConditionVerdict.FIRST_SIGHT);
        assertThat(rows("ready").stream().map(ConditionRow::verdict))
                .containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED);

        root.send(ADMIN, "DELETE", RECORDS + "/second", "");
        eventually("it is gone", () -> records.observing(HOME, "namespaces").equals(Set.of("ready")));
        state("True", "11:00:00");
        eventually("the first one goes on", () -> rows("ready").size() == 3);
        assertThat(rows("ready").getLast().verdict()).isEqualTo(ConditionVerdict.TRAVELLED);
    }

    @Test
    void clusterThatIsRemoved_andRecordThatIsDeleted_leaveNothing() throws Exception {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        eventually("it is seen", () -> rows().size() == 1);

        clusters.clear();
        eventually("it is forgotten", () -> rows().isEmpty() && counts().isEmpty());
        awaitStatus("ready", "NoCluster");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(ConditionRecordsTest::text)).containsExactly("");
        }

        root.send(ADMIN, "DELETE", RECORDS + "/ready", "");
        eventually("its file is deleted", () -> list(folder).isEmpty());
        assertThat(records.observing(HOME, "namespaces")).isEmpty();
    }

    @Test
    void recordBeyondTheLimit_takesNoOtherOnesPlace() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        eventually("it is seen", () -> rows().size() == 1);
        for (int i = 1; i <= 16; i++) { // all of them before it by their names
            record("a" + i, "clusters: {matchNames: [other]}, resource: core/v1/pods, conditions: [Ready]");
        }

        eventually(
                "one has no place",
                () -> root.send(ADMIN, "GET", RECORDS, "").body().path("items").values().stream()
                                .filter(each -> Condition.in(each.path("status"), "Observing")
                                        .path("reason")
                                        .asString("")
                                        .equals("TooManyRecords"))
                                .count()
                        == 1);
        assertThat(condition("ready").path("reason").asString("")).isEqualTo("Observing");
        assertThat(rows()).hasSize(1);
    }

    @Test
    void resourceThatTheClusterHasNot_isSaidInTheStatus() {
        record("pods", "clusters: {all: true}, resource: core/v1/pods, conditions: [Ready]");

        eventually(
                "it is not observed",
                () -> condition("pods").path("status").asString("").equals("False"));
        assertThat(condition("pods").path("message").asString("")).startsWith("cluster \"home\": NotFound: ");
        assertThat(records.observing(HOME, "pods")).containsExactly("pods");
    }

    @Test
    void changedSpec_keepsWhatFitsIt() {
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");
        awaitObserving("ready");
        shop();
        state("True", "11:00:00");
        eventually("it is seen", () -> rows().size() == 1);

        root.send(ADMIN, "PATCH", RECORDS + "/ready", "{spec: {conditions: [Ready, Synced]}}");
        status("{type: Ready, status: 'True', lastTransitionTime: '2026-01-02T11:00:00Z'}, {type: Synced, status:"
                + " 'True'}");

        eventually("both are seen", () -> found().containsKey("Synced") && rows().size() == 2);
    }

    @Test
    void error_endsNeitherTheObservationNorTheController() {
        errorsToCome.set(2);
        record("ready", "clusters: {all: true}, resource: core/v1/namespaces, conditions: [Ready]");

        awaitObserving("ready");
        assertThat(errorsToCome.get()).isNotPositive();
        assertThat(records.work()).allMatch(work -> work.isAlive());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        clusters: {}, resource: core/v1/pods, conditions: [Ready]                                  | spec.clusters
        clusters: {all: true}, resource: v1/pods, conditions: [Ready]                              | spec.resource
        clusters: {all: true}, resource: pods, conditions: [Ready]                                 | spec.resource
        clusters: {all: true}, resource: core/v1/pods, conditions: []                              | spec.conditions
        clusters: {all: true}, resource: core/v1/pods                                              | spec.conditions
        clusters: {all: true}, resource: core/v1/pods, conditions: [R], retain: {bytes: 1}         | spec.retain.bytes
        clusters: {all: true}, resource: core/v1/pods, conditions: [R], selector: {matchLabels: {'-': x}} | spec.selector.matchLabels
        """)
    void recordThatCannotBe_isRefusedNamingTheField(String spec, String field) {
        Answer answer = root.send(ADMIN, "POST", RECORDS, text("p", spec));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).contains(field);
    }

    @Test
    void example_ofTheRepository_isAccepted() throws Exception {
        Path example = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
                .toAbsolutePath()
                .resolveSibling("config")
                .resolve("examples/conditions/pods.yaml");

        root.create(RECORDS, Yaml.read(Files.readAllBytes(example)).toString());
        eventually("it is looked at", () -> !condition("web-pods").isEmpty());
    }

    private ConditionRecords process() {
        ConditionRecords process =
                new ConditionRecords(root.root, () -> Map.copyOf(clusters), informers, folder, Instant::now);
        process.start();
        return process;
    }

    private ClusterEntry lookup(ClusterName name) {
        if (errorsToCome.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
        return new ClusterEntry.Hosted(root.root);
    }

    private void record(String name, String spec) {
        root.create(RECORDS, text(name, spec));
    }

    private static String text(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: ConditionRecord, metadata: {name: " + name + "}, spec: {"
                + spec + "}}";
    }

    private void shop() {
        root.create(NAMESPACES, "{metadata: {name: shop}}");
    }

    private void state(String status, String time) {
        status("{type: Ready, status: '" + status + "', lastTransitionTime: '2026-01-02T" + time + "Z'}");
    }

    private void status(String conditions) {
        Answer answer =
                root.send(ADMIN, "PATCH", NAMESPACES + "/shop/status", "{status: {conditions: [" + conditions + "]}}");
        assertThat(answer.code()).as("%s", answer).isEqualTo(200);
    }

    private Map<String, TimeLine> found() {
        return records.find(SHOP, "namespaces").stream()
                .findFirst()
                .map(ConditionRecords.Found::lines)
                .orElse(Map.of());
    }

    private List<ConditionRow> rows() {
        TimeLine line = found().get("Ready");
        return line == null ? List.of() : line.rows();
    }

    private List<ConditionRow> rows(String record) {
        return records.find(SHOP, "namespaces").stream()
                .filter(each -> each.record().equals(record))
                .flatMap(each -> Stream.ofNullable(each.lines().get("Ready")))
                .flatMap(line -> line.rows().stream())
                .toList();
    }

    private List<ConditionVerdict> verdicts() {
        return rows().stream().map(ConditionRow::verdict).toList();
    }

    private List<String> counts() {
        List<String> counts = new ArrayList<>();
        records.counts()
                .forEach((series, count) -> counts.add(
                        series.cluster() + " " + series.resource() + " " + series.condition() + " " + count));
        return counts;
    }

    private List<JsonNode> events() {
        return root.send(ADMIN, "GET", "/api/v1/namespaces/default/events", "").body().path("items").values().stream()
                .filter(event -> event.path("reason").asString("").equals("ConditionTravelled"))
                .toList();
    }

    private void awaitObserving(String record) {
        awaitStatus(record, "Observing");
    }

    private void awaitStatus(String record, String reason) {
        eventually(
                record + " is " + reason,
                () -> condition(record).path("reason").asString("").equals(reason));
    }

    private JsonNode condition(String record) {
        return Condition.in(
                root.send(ADMIN, "GET", RECORDS + "/" + record, "").body().path("status"), "Observing");
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
