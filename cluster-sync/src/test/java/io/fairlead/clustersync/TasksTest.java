package io.fairlead.clustersync;

import static io.fairlead.clustersync.FollowedCluster.eventually;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The work of a cluster goes on, whatever becomes of one task. */
class TasksTest {
    @Test
    void repeatedTask_runsAgainAfterAnError() {
        AtomicInteger runs = new AtomicInteger();
        try (ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
                Tasks tasks = new Tasks(scheduler, Runnable::run, new Random(1))) {
            tasks.every(Duration.ofMillis(1), () -> {
                runs.incrementAndGet();
                throw new StackOverflowError("of a test");
            });

            eventually(() -> runs.get() > 2);
        }
    }
}
