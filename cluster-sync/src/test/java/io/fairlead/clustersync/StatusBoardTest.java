package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What was found out of a cluster is reported, whatever goes wrong meanwhile. */
class StatusBoardTest {
    private static final VersionProbe.Answer ANSWER =
            new VersionProbe.Answer(Finding.yes("Reachable", "it is"), "v1.36.3");
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00.123Z");
    private static final Duration DELAY = Duration.ofMillis(200);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<ClusterStatus> reported = new CopyOnWriteArrayList<>();
    private final ManualScheduler manual = new ManualScheduler();
    private final List<ClusterLedger> ledgers = new ArrayList<>();
    private final AtomicInteger errors = new AtomicInteger(1);

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void status_thatCouldNotBeReported_isReportedWithoutAnotherChange() {
        StatusBoard board = board(Runnable::run, status -> {
            fail();
            reported.add(status);
        });
        board.probed(ANSWER);

        eventually(() -> !reported.isEmpty());
        assertThat(reported.getFirst().version()).isEqualTo("v1.36.3");
    }

    @Test
    void status_thatCanNeverBeReported_doesNotFillTheLog() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(StatusBoard.class);
        logger.addAppender(lines);
        AtomicInteger attempts = new AtomicInteger();
        StatusBoard board = board(Runnable::run, _ -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("of a test");
        });
        try {
            board.probed(ANSWER);

            eventually(() -> attempts.get() > 20);
            assertThat(lines.list).hasSize(1);
        } finally {
            board.close();
            logger.detachAppender(lines);
        }
    }

    @Test
    void status_forWhichThereWasNoThread_isReportedWithoutAnotherChange() {
        Executor executor = task -> {
            fail();
            task.run();
        };
        StatusBoard board = board(executor, reported::add);
        board.probed(ANSWER);

        eventually(() -> !reported.isEmpty());
    }

    @Test
    void anotherClusterThanBefore_isReportedAtOnce() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);
        board.identified(identity("one"));
        manual.pass(DELAY);
        assertThat(reported).hasSize(1);
        board.probed(ANSWER);

        board.identified(identity("two"));
        manual.pass(Duration.ZERO);

        assertThat(reported).hasSize(2);
        assertThat(reported.getLast().identity()).contains(identity("two"));
        manual.pass(DELAY);
        assertThat(reported).as("once").hasSize(2);
    }

    @Test
    void replacedHistory_isTold_howeverSoonTheTypesAreListedAgain() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);
        know(board, HolderType.CRD);

        board.forgotten("the proof");
        know(board, HolderType.CRD);

        assertThat(historyConsistent()).isEqualTo("HistoryRewound");
        manual.pass(DELAY);
        assertThat(historyConsistent()).isEqualTo("Consistent");
    }

    private static ObservedIdentity identity(String uid) {
        return new ObservedIdentity(Optional.of(ClusterFingerprint.of(uid)), 1, Finding.yes("Verified", "of the test"));
    }

    @Test
    void changes_areReportedAsOne_andTheSameStatusOnlyOnce() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);
        assertThat(reported).isEmpty();
        board.probed(ANSWER);
        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD), List.of(), "1"));
        manual.pass(DELAY.minusNanos(1));
        assertThat(reported).isEmpty();
        manual.pass(Duration.ofNanos(1));
        assertThat(reported).singleElement().satisfies(status -> {
            assertThat(status.reachable()).isEqualTo(ANSWER.reachable());
            assertThat(status.version()).isEqualTo("v1.36.3");
            assertThat(status.typesSynced().reason()).isEqualTo("Synced");
            assertThat(status.lastSyncTime()).isEqualTo(NOW);
        });

        board.probed(ANSWER);
        manual.pass(DELAY);
        assertThat(reported).hasSize(1);
        board.probed(new VersionProbe.Answer(Finding.no("Timeout", "it is slow"), ""));
        manual.pass(DELAY);
        assertThat(reported).hasSize(2).last().satisfies(status -> {
            assertThat(status.reachable().reason()).isEqualTo("Timeout");
            assertThat(status.version()).as("what it was").isEqualTo("v1.36.3");
        });
    }

    @Test
    void board_beforeAnythingIsHeard_saysThatNothingIsKnown() {
        StatusBoard attached = quiet(Set.of(HolderType.CRD), true);
        StatusBoard hosted = quiet(Set.of(HolderType.CRD), false);
        attached.forgotten("");
        hosted.forgotten("");
        manual.pass(DELAY);

        assertThat(reported).extracting(status -> status.reachable().reason()).containsExactly("Pending", "Served");
        assertThat(reported)
                .extracting(status -> status.historyConsistent().isPresent())
                .as("of a hosted cluster it is our own")
                .containsExactly(true, false);
        assertThat(reported)
                .allSatisfy(status -> assertThat(status.typesSynced().reason()).isEqualTo("Listing"));
    }

    @Test
    void closedBoard_reportsNothing() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);
        board.probed(ANSWER);
        board.close();
        board.forgotten("");
        manual.pass(DELAY);

        assertThat(reported).isEmpty();
        assertThat(manual.dueCount()).isZero();
    }

    @Test
    void typesSynced_isTheWorstOfAllTypes() {
        StatusBoard board = quiet(Set.of(HolderType.CRD, HolderType.API_SERVICE), true);
        Finding lost = Finding.no("WatchLost", "it is");

        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD), List.of(), "1"));
        assertThat(typesSynced()).as("the others are listed still").isEqualTo("Listing");
        board.heard(new TypeChange.Failed(Set.of(HolderType.API_SERVICE), Finding.no("ListFailed", "it did")));
        assertThat(typesSynced()).isEqualTo("ListFailed");
        board.heard(new TypeChange.Complete(Set.of(HolderType.API_SERVICE), List.of(), "1"));
        assertThat(typesSynced()).isEqualTo("Synced");
        board.heard(new TypeChange.Failed(Set.of(HolderType.CRD), Finding.no("ListFailed", "it did")));
        assertThat(typesSynced()).as("what is known is known until it is lost").isEqualTo("Synced");
        board.heard(new TypeChange.Lost(Set.of(HolderType.CRD), lost));
        assertThat(typesSynced()).isEqualTo("WatchLost");
        board.heard(new TypeChange.Current(Set.of(HolderType.CRD)));
        assertThat(typesSynced()).isEqualTo("Synced");
        assertThat(historyConsistent()).isEqualTo("Consistent");
        board.forgotten("the proof");
        assertThat(typesSynced()).isEqualTo("HistoryReplaced");
        assertThat(historyConsistent()).isEqualTo("HistoryRewound");
        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD), List.of(), "1"));
        manual.pass(DELAY);
        assertThat(historyConsistent()).as("the others are listed still").isEqualTo("HistoryRewound");
        assertThat(reported.getLast().historyConsistent().orElseThrow().message())
                .contains("2026-11-22T10:00:00Z: the proof");
        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD, HolderType.API_SERVICE), List.of(), "1"));
        assertThat(typesSynced()).isEqualTo("Synced");
        assertThat(historyConsistent()).isEqualTo("Consistent");
        assertThat(reported.getLast().typesSynced().message())
                .contains("its history was replaced")
                .contains("2026-11-22T10:00:00Z: the proof");
    }

    @Test
    void definitionsThatCannotBeRead_areCounted_andAFewOfThemNamed() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);

        assertThat(unread(board, 3)).contains("; 3 definitions cannot be read").endsWith(": d0, d1, d2");
        assertThat(unread(board, 4)).contains("; 4 definitions cannot be read").endsWith(": d0, d1, d2, …");
        assertThat(unread(board, 0)).doesNotContain("cannot be read");
    }

    @Test
    void otherHoldersThanDefinitions_areNoneThatCannotBeRead() {
        StatusBoard board = quiet(Set.of(HolderType.BUILT_IN), true);
        know(board, HolderType.BUILT_IN, Contribution.unlisted(new GroupVersion("apps", "v1")));

        assertThat(reported.getLast().typesSynced().message()).doesNotContain("cannot be read");
    }

    @Test
    void resources_areCountedOnceForAllVersions_andNotWhereSomeAreNotKnown() {
        StatusBoard board = quiet(Set.of(HolderType.CRD, HolderType.API_SERVICE), true);
        know(
                board,
                HolderType.CRD,
                Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos", "bars")),
                Contribution.of(new GroupVersion("example.com", "v2"), Set.of("foos")));

        assertThat(reported.getLast().resources()).hasValue(2);
        assertThat(reported.getLast().groupVersions()).isEqualTo(2);

        know(board, HolderType.API_SERVICE, Contribution.unlisted(new GroupVersion("metrics", "v1")));
        assertThat(reported.getLast().resources()).isEmpty();
    }

    @Test
    void typesThatAreForgotten_areReportedSoWithoutAnotherChange() {
        StatusBoard board = quiet(Set.of(HolderType.CRD), true);
        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD), List.of(), "1"));
        assertThat(typesSynced()).isEqualTo("Synced");

        board.forgotten("");

        assertThat(typesSynced()).isEqualTo("Listing");
    }

    private void know(StatusBoard board, HolderType type, Contribution... contributions) {
        List<Holder> holders = List.of(new Holder(type, "one", "u", "1", List.of(contributions)));
        ledgers.getLast().relist(Set.of(type), holders, "");
        board.heard(new TypeChange.Complete(Set.of(type), holders, ""));
        manual.pass(DELAY);
    }

    private String unread(StatusBoard board, int count) {
        List<Holder> holders = IntStream.range(0, count)
                .mapToObj(i -> new Holder(HolderType.CRD, "d" + i, "u", "1", List.of()))
                .toList();
        ledgers.getLast().relist(Set.of(HolderType.CRD), holders, "");
        board.heard(new TypeChange.Complete(Set.of(HolderType.CRD), holders, ""));
        manual.pass(DELAY);
        return reported.getLast().typesSynced().message();
    }

    private String historyConsistent() {
        return reported.getLast().historyConsistent().orElseThrow().reason();
    }

    private String typesSynced() {
        manual.pass(DELAY);
        return reported.getLast().typesSynced().reason();
    }

    /** A board whose time the test lets pass. */
    private StatusBoard quiet(Set<HolderType> expected, boolean probed) {
        ledgers.add(FleetIndex.create().open(new ClusterName("prod"), expected));
        return new StatusBoard(
                ledgers.getLast(),
                expected,
                reported::add,
                InstantSource.fixed(NOW),
                manual,
                Runnable::run,
                DELAY,
                probed);
    }

    private void fail() {
        if (errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of a test");
        }
    }

    private StatusBoard board(Executor executor, ClusterStatusSink sink) {
        FleetIndex index = FleetIndex.create();
        return new StatusBoard(
                index.open(new ClusterName("prod"), Set.of(HolderType.CRD)),
                Set.of(HolderType.CRD),
                sink,
                InstantSource.system(),
                scheduler,
                executor,
                Duration.ofMillis(1),
                true);
    }
}
