package io.fairlead.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task that a scheduler repeats, which never throws: a {@link java.util.concurrent.ScheduledExecutorService} would
 * silently never run it again. The first of several failures in a row is logged.
 *
 * <p>Threads: {@link #run} is for one at a time, the others for any.
 */
public final class Recurring implements Runnable {
    private final String name;
    private final Runnable task;
    private final Supervised.Witness witness;
    private volatile @Nullable Throwable failure;

    public Recurring(String name, Runnable task, Supervised.Witness witness) {
        this.name = name;
        this.task = task;
        this.witness = witness;
    }

    /** The name of the task. */
    public String name() {
        return name;
    }

    /** The failure of the last run. */
    public Optional<String> problem() {
        return Optional.ofNullable(failure).map(String::valueOf);
    }

    @Override
    public void run() {
        try {
            task.run();
            failure = null;
        } catch (Throwable thrown) {
            boolean isFirst = failure == null;
            failure = thrown;
            if (isFirst) {
                tell(thrown);
            }
        }
    }

    private void tell(Throwable thrown) {
        try {
            witness.failed(name, thrown);
        } catch (Throwable untold) {
            thrown.addSuppressed(untold);
        }
    }
}
