package io.fairlead.model;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work that runs until it is closed, on its own thread: a failure, including an {@link Error}, is reported, and after a
 * pause the work starts again.
 *
 * <p>The pause is a tenth of a second at first and doubles, up to half a minute, until the work has run for a minute.
 * The interrupted step is lost, so the work must be able to start again at any point.
 *
 * <p>Threads: the methods are for any.
 */
public final class Supervised implements AutoCloseable {
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final int DOUBLINGS_MAX = 8;
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    private static final Duration WELL_AFTER = Duration.ofMinutes(1);

    private final String name;
    private final Work work;
    private final Witness witness;
    private final Thread thread;
    private volatile @Nullable Throwable failure;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The work; returns only when it is to end. */
    @FunctionalInterface
    public interface Work {
        void go() throws InterruptedException;
    }

    /** Observes work that ended unexpectedly. Must not block. */
    @FunctionalInterface
    public interface Witness {
        /** The work of a name ended; it starts again. */
        void failed(String name, Throwable failure);
    }

    /**
     * Work that has not started.
     *
     * @param thread creates the thread, named like the work
     */
    public Supervised(String name, Thread.Builder thread, Work work, Witness witness) {
        this.name = name;
        this.work = work;
        this.witness = witness;
        this.thread = thread.name(name).unstarted(this::run);
    }

    /** Starts. */
    public void start() {
        thread.start();
    }

    /** The work's name. */
    public String name() {
        return name;
    }

    /** Whether it has started and was not closed, even during a pause. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Whether the work is to end: the only reason for it to return. */
    public boolean isClosed() {
        return closing.getCount() == 0;
    }

    /**
     * Waits, as work does between two looks or before another attempt. For the work itself.
     *
     * @throws InterruptedException as soon as the work is closed, or its thread interrupted
     */
    public void pause(Duration duration) throws InterruptedException {
        if (closing.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new InterruptedException("closed");
        }
    }

    /** The failure that ended the work, while it has not started again. */
    public Optional<String> problem() {
        return Optional.ofNullable(failure).map(String::valueOf);
    }

    /** Ends it without waiting for its end. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }

    /** Ends it and waits a limited time for its end. */
    public void close(Duration wait) {
        close();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(wait);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int failures = 0;
        while (!isClosed()) {
            long begin = System.nanoTime();
            Throwable ended = endOfWork();
            if (isClosed()) {
                return;
            }
            failures = System.nanoTime() - begin > WELL_AFTER.toNanos() ? 1 : failures + 1;
            failure = ended;
            tell(ended);
            pauseAfter(failures);
            failure = null;
        }
    }

    private Throwable endOfWork() {
        try {
            work.go();
            return new IllegalStateException("it ended although it was not closed");
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private void tell(Throwable ended) {
        try {
            witness.failed(name, ended);
        } catch (Throwable untold) {
            ended.addSuppressed(untold);
        }
    }

    private void pauseAfter(int failures) {
        long millis = PAUSE_MIN.toMillis() << Math.min(failures - 1, DOUBLINGS_MAX);
        try {
            pause(Duration.ofMillis(Math.min(millis, PAUSE_MAX.toMillis())));
        } catch (InterruptedException closing) {
            // An interrupt ends the pause, closed or not.
            return;
        }
    }
}
