package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What was found out of a cluster is reported, whatever goes wrong meanwhile. */
class StatusBoardTest {
    private static final VersionProbe.Answer ANSWER =
            new VersionProbe.Answer(Finding.yes("Reachable", "it is"), "v1.36.3");

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<ClusterStatus> reported = new CopyOnWriteArrayList<>();
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
