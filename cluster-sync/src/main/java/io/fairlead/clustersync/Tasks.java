package io.fairlead.clustersync;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Recurring;
import io.fairlead.model.Repetitions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The current and scheduled tasks of one cluster; none begins after {@link #close}. Thread-safe. */
final class Tasks implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

    private final ClusterName cluster;
    private final ScheduledExecutorService scheduler;
    private final Executor executor;
    private final RandomGenerator random;

    @SuppressWarnings("UndefinedEquals") // tasks are compared by identity
    private final Set<Future<?>> repeating = new HashSet<>();

    private final Repetitions failures = new Repetitions();
    private volatile boolean closed;

    Tasks(ClusterName cluster, ScheduledExecutorService scheduler, Executor executor, RandomGenerator random) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.executor = executor;
        this.random = random;
    }

    @Override
    public void execute(Runnable task) {
        if (!closed) {
            executor.execute(() -> run(task));
        }
    }

    /** Runs a task once, after a delay. */
    void later(Duration delay, Runnable task) {
        scheduler.schedule(() -> execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs a task periodically, first after a part of the interval, so that clusters do not run in step. */
    synchronized void every(Duration interval, Runnable task) {
        if (!closed) {
            repeating.add(scheduler.scheduleWithFixedDelay(
                    new Recurring("task of a cluster", () -> execute(task), (_, failure) -> tell(failure)),
                    random.nextLong(interval.toNanos()),
                    interval.toNanos(),
                    TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        repeating.forEach(task -> task.cancel(false));
        repeating.clear();
    }

    private void run(Runnable task) {
        if (closed) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) { // It runs again when it is due.
            tell(e);
        }
    }

    private void tell(Throwable failure) {
        failures.next(failure.getClass())
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(failure)
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("leftOut", leftOut)
                        .log("A task of a cluster failed"));
    }
}
