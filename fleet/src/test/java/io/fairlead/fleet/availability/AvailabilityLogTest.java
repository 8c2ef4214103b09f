package io.fairlead.fleet.availability;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept of when a cluster was Ready: across restarts, and no longer than the cluster. */
final class AvailabilityLogTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final ClusterName DEV = new ClusterName("dev");
    private static final Finding READY = Finding.yes("Ready", "it is");
    private static final Finding LOST = Finding.no("Timeout", "no answer");
    private static final Finding NOTHING = Finding.unknown("NotTriedYet", "no answer has come yet");
    private static final String MAP = "/api/v1/namespaces/fairlead-system/configmaps/cluster-transitions-dev";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);

    @AfterEach
    void close() {
        root.close();
    }

    @Test
    void transitions_surviveARestart_afterWhichTheFirstSightIsMarked() {
        root.registered("dev");
        AvailabilityLog before = log();
        observe(before, READY, 0);
        observe(before, LOST, 1);
        observe(before, LOST, 2);

        AvailabilityLog after = log();
        assertThat(after.of(DEV)).isEmpty();
        observe(after, NOTHING, 10);
        observe(after, READY, 11);

        List<String> expected = List.of(
                "2026-01-02T12:00:00Z True Ready first-sight",
                "2026-01-02T12:00:01Z False Timeout",
                "2026-01-02T12:00:10Z Unknown NotTriedYet first-sight",
                "2026-01-02T12:00:11Z True Ready");
        assertThat(lines(after)).isEqualTo(expected);
        assertThat(stored().lines()).isEqualTo(expected);
    }

    @Test
    void clusterOfTheSameName_hasNothingOfTheOneBefore() {
        root.registered("dev");
        AvailabilityLog log = log();
        observe(log, READY, 0);
        root.send(ADMIN, "DELETE", CLUSTERS + "/dev", "");
        root.registered("dev");

        observe(log, LOST, 1);
        AvailabilityLog restarted = log();
        observe(restarted, LOST, 2);

        assertThat(lines(log)).containsExactly("2026-01-02T12:00:01Z False Timeout first-sight");
        assertThat(lines(restarted))
                .doesNotContain("2026-01-02T12:00:00Z True Ready first-sight")
                .last()
                .isEqualTo("2026-01-02T12:00:02Z False Timeout first-sight");
    }

    @Test
    void whatIsStored_goesWithTheCluster() {
        root.registered("dev");
        AvailabilityLog log = log();
        observe(log, READY, 0);
        assertThat(root.send(ADMIN, "GET", MAP, "").code()).isEqualTo(200);

        root.send(ADMIN, "DELETE", CLUSTERS + "/dev", "");
        log.forget(DEV);

        assertThat(log.of(DEV)).isEmpty();
        eventually("it is collected", () -> root.send(ADMIN, "GET", MAP, "").code() == 404);
    }

    @Test
    void mapThatWasDeletedOrSpoilt_isWrittenAnewByTheNextTransition() {
        root.registered("dev");
        AvailabilityLog log = log();
        observe(log, READY, 0);

        root.send(ADMIN, "DELETE", MAP, "");
        observe(log, LOST, 1);
        assertThat(stored().lines()).hasSize(2);

        root.send(ADMIN, "PATCH", MAP, "{data: {transitions: spoilt}}");
        observe(log, READY, 2);
        assertThat(stored().lines()).hasSize(3);
    }

    @Test
    void mapThatCannotBeWritten_losesNoTransitionOfThisProcess() {
        root.registered("dev");
        AvailabilityLog log = log();
        root.lose("/namespaces/fairlead-system");
        eventually(
                "the namespace is lost",
                () -> root.send(ADMIN, "GET", "/api/v1/namespaces/fairlead-system", "")
                                .code()
                        == 404);

        observe(log, READY, 0);
        observe(log, LOST, 1);

        assertThat(lines(log)).hasSize(2);
        assertThat(root.send(ADMIN, "GET", MAP, "").code()).isEqualTo(404);
    }

    private AvailabilityLog log() {
        return new AvailabilityLog(new RootApi(root.root), (InstantSource) now::get);
    }

    private void observe(AvailabilityLog log, Finding ready, int second) {
        now.set(NOON.plusSeconds(second));
        log.observed(root.cluster("dev"), ready);
    }

    private String stored() {
        return root.send(ADMIN, "GET", MAP, "").body().at("/data/transitions").asString("");
    }

    private static List<String> lines(AvailabilityLog log) {
        return log.of(DEV).stream().map(Transition::line).toList();
    }
}
