package io.fairlead.clustersync.fabric8;

import io.fairlead.model.Repetitions;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on another executor; drops them once that is shut down. The callers bound their
 * number.
 */
final class SerialTasks implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialTasks.class);

    private static final Repetitions TOLD = new Repetitions();

    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SerialTasks(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (waiting) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            executor.execute(this::runAll);
        } catch (RejectedExecutionException e) {
            synchronized (waiting) {
                waiting.clear();
            }
        } catch (Throwable e) { // no thread is available: the next task tries again
            synchronized (waiting) {
                running = false;
            }
            throw e;
        }
    }

    private void runAll() {
        while (true) {
            Runnable task;
            synchronized (waiting) {
                task = waiting.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            try {
                task.run();
            } catch (Throwable e) { // an Error of one task must not stop those after it
                tell(e);
            }
        }
    }

    private static void tell(Throwable failure) {
        try {
            TOLD.next(failure.getClass())
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("A callback of a Kubernetes client failed"));
        } catch (Throwable untold) { // nor must an error in logging
            failure.addSuppressed(untold);
        }
    }
}
