package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The work of a cluster goes on, whatever becomes of one task. */
class TasksTest {
    private static final ClusterName PROD = new ClusterName("prod");

    @Test
    void repeatedTask_runsAgainAfterAnError() {
        AtomicInteger runs = new AtomicInteger();
        try (ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
                Tasks tasks = new Tasks(PROD, scheduler, Runnable::run, new Random(1))) {
            tasks.every(Duration.ofMillis(1), () -> {
                runs.incrementAndGet();
                throw new StackOverflowError("of a test");
            });

            eventually(() -> runs.get() > 2);
        }
    }

    @Test
    void taskThatFails_isLoggedWithItsCluster() {
        Logger logger = (Logger) LoggerFactory.getLogger(Tasks.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try (Tasks tasks = new Tasks(PROD, new ManualScheduler(), Runnable::run, new Random(1))) {
            tasks.execute(() -> {
                throw new IllegalStateException("of a test");
            });
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("A task of a cluster failed");
            assertThat(line.getKeyValuePairs())
                    .anySatisfy(pair -> assertThat(pair.key + "=" + pair.value).isEqualTo("cluster=prod"));
        });
    }

    @Test
    void repeatedTask_beginsWithinItsInterval_andEndsWithTheCluster() {
        ManualScheduler scheduler = new ManualScheduler();
        AtomicInteger runs = new AtomicInteger();
        Tasks tasks = new Tasks(PROD, scheduler, Runnable::run, new Random(1));
        tasks.every(Duration.ofSeconds(10), runs::incrementAndGet);

        scheduler.pass(Duration.ofSeconds(10));
        assertThat(runs).hasValue(1);
        scheduler.pass(Duration.ofSeconds(20));
        assertThat(runs).hasValue(3);
        tasks.close();
        scheduler.pass(Duration.ofSeconds(20));

        assertThat(runs).hasValue(3);
        assertThat(scheduler.dueCount()).isZero();
        tasks.every(Duration.ofSeconds(10), runs::incrementAndGet);
        assertThat(scheduler.dueCount()).as("nothing begins after the end").isZero();
    }

    @Test
    void laterTask_runsOnce_unlessTheClusterIsGoneByThen() {
        ManualScheduler scheduler = new ManualScheduler();
        AtomicInteger runs = new AtomicInteger();
        Tasks tasks = new Tasks(PROD, scheduler, Runnable::run, new Random(1));
        tasks.later(Duration.ofSeconds(2), runs::incrementAndGet);

        scheduler.pass(Duration.ofSeconds(2).minusNanos(1));
        assertThat(runs).hasValue(0);
        scheduler.pass(Duration.ofSeconds(10));
        assertThat(runs).hasValue(1);

        tasks.later(Duration.ofSeconds(2), runs::incrementAndGet);
        tasks.close();
        scheduler.pass(Duration.ofSeconds(10));
        assertThat(runs).hasValue(1);
    }

    @Test
    void task_thatComesToItsTurnAfterTheEnd_doesNotRun() {
        List<Runnable> handedOver = new ArrayList<>();
        AtomicInteger runs = new AtomicInteger();
        Tasks tasks = new Tasks(PROD, new ManualScheduler(), handedOver::add, new Random(1));
        tasks.execute(runs::incrementAndGet);
        assertThat(handedOver).hasSize(1);

        tasks.close();
        handedOver.forEach(Runnable::run);
        tasks.execute(runs::incrementAndGet);

        assertThat(runs).hasValue(0);
        assertThat(handedOver).hasSize(1);
    }
}
