package io.fairlead.model;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work that shall go on until it is closed, on a thread of its own: what ends it before, be it an {@link Error}, is told, and
 * after a pause it begins again.
 *
 * <p>The pause is a tenth of a second at first and doubles, up to half a minute, until the work has gone on for a minute.
 * Whatever the work was doing is lost, so work must be such that it can begin anew.
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
    private volatile boolean closed;

    /** What goes on; returns only when it is to end. */
    @FunctionalInterface
    public interface Work {
        void go() throws InterruptedException;
    }

    /** Hears that work ended which should not have. Must not block. */
    @FunctionalInterface
    public interface Witness {
        /** The work of a name ended; it begins again. */
        void failed(String name, Throwable failure);
    }

    /**
     * Work that has not begun.
     *
     * @param thread makes the thread, which bears the name of the work
     */
    public Supervised(String name, Thread.Builder thread, Work work, Witness witness) {
        this.name = name;
        this.work = work;
        this.witness = witness;
        this.thread = thread.name(name).unstarted(this::run);
    }

    /** Begins. */
    public void start() {
        thread.start();
    }

    /** What the work is. */
    public String name() {
        return name;
    }

    /** Whether it has begun and was not closed, even if it pauses. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Whether the work is to end: the one reason for it to return. */
    public boolean isClosed() {
        return closed;
    }

    /** What ended the work, while it has not begun again. */
    public Optional<String> problem() {
        return Optional.ofNullable(failure).map(String::valueOf);
    }

    /** Ends it, and does not wait for that. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    /** Ends it, and waits for that for a while. */
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
        while (!closed) {
            long begin = System.nanoTime();
            Throwable ended = endOfWork();
            if (closed) {
                return;
            }
            failures = System.nanoTime() - begin > WELL_AFTER.toNanos() ? 1 : failures + 1;
            failure = ended;
            tell(ended);
            pause(failures);
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

    private void pause(int failures) {
        long millis = PAUSE_MIN.toMillis() << Math.min(failures - 1, DOUBLINGS_MAX);
        try {
            TimeUnit.MILLISECONDS.sleep(Math.min(millis, PAUSE_MAX.toMillis()));
        } catch (InterruptedException closing) {
            // An interrupt ends the pause, whether it is closed or not.
            return;
        }
    }
}
