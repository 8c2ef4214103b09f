package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A cluster that was exported is imported with all that it had, or not at all. */
class ClusterArchivesTest {
    private static final ClusterName COPY = new ClusterName("copy");
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final MemoryStore store = new MemoryStore();
    private Fixture fixture = fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Fixture fixture() {
        return new Fixture(store, Fixture.settings(64, 64), List.of(), () -> now);
    }

    @Test
    void importedCluster_hasTheObjectsOfTheOther_andGoesOnByItself() throws Exception {
        ObjectNode made = fixture.dev()
                .create(CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.com/x]}, data: {k: v}}")
                .expect(201)
                .body();
        byte[] archive = archive();

        ClusterArchives.Progress progress = add(COPY, archive, 1000);

        assertThat(progress.isComplete()).isTrue();
        assertThat(progress.from()).isEqualTo("dev");
        assertThat(progress.entries())
                .isEqualTo(new String(archive, UTF_8).lines().count() - 2);
        Api copy = fixture.api(COPY);
        ObjectNode found = copy.get(CONFIG_MAPS + "/a").expect(200).body();
        for (ObjectNode object : List.of(made, found)) {
            object.withObjectProperty("metadata").remove("resourceVersion");
        }
        assertThat(found).isEqualTo(made);
        copy.merge(CONFIG_MAPS + "/a", "{\"data\":{\"k\":\"w\"}}").expect(200);
        assertThat(fixture.dev().get(CONFIG_MAPS + "/a").at("/data/k")).isEqualTo("v");
        Fixture.eventually("the import is over", () -> !left("/imported-clusters/"));
    }

    @Test
    void kinds_areThoseOfTheOther() throws Exception {
        fixture.clusters.open(Fixture.DEV, BuiltIns.ALL);

        assertThat(add(COPY, archive(), 100_000).builtIns()).isEqualTo(BuiltIns.ALL);

        fixture.api(COPY).get("/apis/apps/v1/deployments").expect(200);
    }

    @Test
    void nameThatIsTaken_isRefused_alsoIfItIsTakenMeanwhile() throws Exception {
        fixture.dev();
        byte[] archive = archive();

        assertThatThrownBy(() -> add(Fixture.DEV, archive, 1000))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("has data");
        add(COPY, Arrays.copyOf(archive, 2000), 2000, false);
        fixture.api(COPY).create(CONFIG_MAPS, "metadata: {name: own}").expect(201);
        assertThatThrownBy(() -> fixture.clusters
                        .archives()
                        .add(COPY, 2000, Arrays.copyOfRange(archive, 2000, archive.length), true))
                .hasMessageContaining("has data");

        fixture.api(COPY).get(CONFIG_MAPS + "/own").expect(200);
        awaitNothingLeft();
    }

    @Test
    void damagedArchive_leavesNothing() throws Exception {
        fixture.dev();
        byte[] archive = archive();
        byte[] damaged = archive.clone();
        damaged[archive.length - 200] ^= 1;

        assertThatThrownBy(() -> add(COPY, damaged, 700)).isInstanceOf(StatusException.class);

        assertThat(fixture.clusters.stored()).containsExactly(Fixture.DEV);
        awaitNothingLeft();
        assertThat(add(COPY, archive, 700).isComplete()).isTrue();
    }

    @Test
    void keyThatNoObjectHas_isRefused() throws Exception {
        fixture.dev();
        String archive = new String(archive(), UTF_8);

        for (String key :
                List.of("", "/", "a", "a/b", "core/configmaps/default/a/b", "core//a/b", "../../clusters/x")) {
            String other = archive.replaceFirst("\"key\":\"[^\"]*\"", "\"key\":\"" + key + "\"");
            assertThatThrownBy(() -> add(COPY, other.getBytes(UTF_8), 1_000_000))
                    .as(key)
                    .isInstanceOf(StatusException.class)
                    .hasMessageContaining("key \"" + key + "\"");
        }
        awaitNothingLeft();
    }

    @Test
    void objectOfAnotherName_isRefused() throws Exception {
        fixture.dev().create(CONFIG_MAPS, "metadata: {name: a}").expect(201);
        String archive = new String(archive(), UTF_8);

        String line = archive.lines()
                .filter(one -> one.contains("configmaps/default/a\""))
                .findFirst()
                .orElseThrow();
        for (String changed : List.of(
                line.replace("\"name\":\"a\"", "\"name\":\"b\""),
                line.replace("\"name\":\"a\"", "\"nam\":\"a\""),
                line.replace("\"metadata\":{", "\"metadatum\":{"),
                line.replace("\"namespace\":\"default\"", "\"namespace\":\"kube-system\""))) {
            assertThat(changed).isNotEqualTo(line);
            assertThatThrownBy(() -> add(COPY, archive.replace(line, changed).getBytes(UTF_8), 1_000_000))
                    .as(changed)
                    .hasMessageContaining("(expected the one that the key names)");
        }
        awaitNothingLeft();
    }

    @Test
    void definitions_countAsIfTheyWereCreated() throws Exception {
        HostedMemory memory = HostedMemory.of(
                ByteBudget.of(1L << 28),
                HostedMemory.ofWork(),
                2,
                1 << 22,
                1 << 22,
                new HostedMemory.Bounds(20_000_000, 5_000_000),
                HostedMemory.Bounds.ofKept(),
                _ -> {});
        fixture.stop();
        fixture = new Fixture(store, Fixture.settings(64, 64, memory), List.of(), () -> now);
        fixture.dev();
        String archive = new String(archive(), UTF_8);
        String definition = "{\"key\":\"apiextensions.k8s.io/customresourcedefinitions/%03d\",\"revision\":3,"
                + "\"createRevision\":3,\"value\":{\"metadata\":{\"name\":\"%03d\"},\"x\":\"" + "x".repeat(1_000_000)
                + "\"}}\n";
        StringBuilder many = new StringBuilder(archive.lines().findFirst().orElseThrow() + "\n");
        for (int i = 0; i < 6; i++) {
            many.append(definition.formatted(i, i));
        }

        assertThatThrownBy(() -> add(COPY, many.toString().getBytes(UTF_8), 500_000))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("limits.hostedDefinitionBytesPerClusterMax");
        awaitNothingLeft();
        assertThat(add(COPY, archive.getBytes(UTF_8), 500_000).isComplete()).isTrue();
    }

    @Test
    void importThatIsOver_leavesNoRecord_andKeepsWhatItBrought() throws Exception {
        fixture.dev().create(CONFIG_MAPS, "metadata: {name: a}").expect(201);
        add(COPY, archive(), 1000);

        Fixture.eventually("the record is gone", () -> !left("/imported-clusters/"));

        fixture.api(COPY).get(CONFIG_MAPS + "/a").expect(200);
    }

    @Test
    void objectsThatSayWhereTheServerIs_areThoseOfTheNewOne() throws Exception {
        fixture.clusters.open(Fixture.DEV, BuiltIns.ALL);
        String slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
        String old = fixture.dev().get(slices).expect(200).at("/metadata/uid");

        add(COPY, archive(), 100_000);

        assertThat(fixture.api(COPY).get(slices).expect(200).at("/metadata/uid"))
                .isNotEqualTo(old);
    }

    @Test
    void partsOutOfOrder_areRefused_andTheImportGoesOn() throws Exception {
        fixture.dev();
        byte[] archive = archive();
        byte[] rest = Arrays.copyOfRange(archive, 500, archive.length);

        assertThatThrownBy(() -> fixture.clusters.archives().add(COPY, 500, rest, true))
                .hasMessageContaining("no import of it is under way");
        add(COPY, Arrays.copyOf(archive, 500), 500, false);
        assertThatThrownBy(() -> fixture.clusters.archives().add(COPY, 400, rest, true))
                .hasMessageContaining("its next part begins at 500");
        assertThat(fixture.clusters.archives().add(COPY, 500, rest, true).isComplete())
                .isTrue();
    }

    @Test
    void importsThatAreNotContinued_areGivenUp_andOnlySomeAreUnderWay() throws Exception {
        fixture.dev();
        byte[] half = Arrays.copyOf(archive(), 1500);
        for (int i = 0; i < ClusterArchives.IMPORTS_MAX; i++) {
            add(new ClusterName("copy-" + i), half, 1500, false);
        }
        assertThatThrownBy(() -> add(COPY, half, 1500, false)).hasMessageContaining("too many imports");

        now = now.plus(ClusterArchives.PATIENCE).plusSeconds(1);
        add(COPY, half, 1500, false);

        Fixture.eventually("one is left", () -> store.count("/imported-clusters/", null, store.revision()) == 1);
    }

    @Test
    void importThatAStopInterrupted_isDeletedAfterTheNextStart() throws Exception {
        fixture.dev();
        byte[] archive = archive();
        add(COPY, Arrays.copyOf(archive, 1500), 1500, false);
        assertThat(left("/imported-clusters/")).isTrue();

        fixture.stop();
        fixture = fixture();

        awaitNothingLeft();
        assertThat(add(COPY, archive, 1500).isComplete()).isTrue();
    }

    @Test
    void importWhoseLastStepAStopInterrupted_isACluster() throws Exception {
        fixture.dev();
        add(COPY, archive(), 100_000);
        var living = Objects.requireNonNull(store.get("/clusters/copy"));
        String uid = new String(living.value(), UTF_8).replaceAll(".*\"uid\":\"([^\"]*)\".*", "$1");
        fixture.stop();
        store.commit(new Write.Put("/imported-clusters/" + uid, living.value(), 0));

        fixture = fixture();

        fixture.api(COPY).get("/api/v1/namespaces/default").expect(200);
        Fixture.eventually("the record is gone", () -> !left("/imported-clusters/"));
        assertThat(fixture.clusters.stored()).contains(COPY);
    }

    /** All but what the clusters have whose names are known. */
    private void awaitNothingLeft() {
        Fixture.eventually("nothing is left", () -> !left("/imported-clusters/") && !left("/deleted-clusters/"));
        List<String> uids = store.list("/clusters/", null, 0, store.revision()).stream()
                .map(entry -> new String(entry.value(), UTF_8).replaceAll(".*\"uid\":\"([^\"]*)\".*", "$1"))
                .toList();
        assertThat(store.list("/c/", null, 0, store.revision()))
                .allMatch(entry -> uids.contains(entry.key().split("/", -1)[2]));
    }

    private boolean left(String prefix) {
        return store.count(prefix, null, store.revision()) > 0;
    }

    private byte[] archive() throws InterruptedException {
        return new ApiResponse.Pieces(
                        200,
                        "",
                        Map.of(),
                        fixture.clusters.archives().of(Fixture.DEV).orElseThrow())
                .join();
    }

    private ClusterArchives.Progress add(ClusterName name, byte[] archive, int step) {
        return add(name, archive, step, true);
    }

    private ClusterArchives.Progress add(ClusterName name, byte[] archive, int step, boolean whole) {
        ClusterArchives.Progress progress = null;
        for (int at = 0; at < archive.length; at += step) {
            int end = Math.min(archive.length, at + step);
            progress = fixture.clusters
                    .archives()
                    .add(name, at, Arrays.copyOfRange(archive, at, end), whole && end == archive.length);
        }
        return Objects.requireNonNull(progress);
    }
}
