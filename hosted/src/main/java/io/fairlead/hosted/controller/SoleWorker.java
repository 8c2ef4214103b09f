package io.fairlead.hosted.controller;

import io.fairlead.model.Repetitions;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Invariant: a call is never lost. It is recorded under the lock under which the thread decides to end, and cleared
 * before the work looks for items; so an item stored before a call is always processed.
 *
 * Failure: a thread that cannot be started (no memory, or no process number) and work that throws are logged and tried
 * again after a pause, without waiting for another call.
 */

/**
 * One thread that runs only while there is work: an idle cluster needs no stack.
 *
 * <pre>
 * NEW     - start -> IDLE
 * IDLE    - called -> WORKING      no thread to be had -> PAUSING
 * WORKING - all is done, and nobody called meanwhile -> IDLE
 *         - the work throws -> PAUSING
 * PAUSING - the pause is over -> IDLE
 * any     - close -> CLOSED        the thread that works ends by itself
 * </pre>
 *
 * <p>A call is recorded in every state, and processed in IDLE.
 *
 * <p>Threads: the methods may be called on any and do not block, except {@link #close}.
 */
public final class SoleWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SoleWorker.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration END = Duration.ofSeconds(10);

    private enum State {
        NEW,
        IDLE,
        WORKING,
        PAUSING,
        CLOSED
    }

    private final String name;
    private final ThreadFactory threads;
    private final Work work;
    private final ScheduledExecutorService scheduler;
    private final Repetitions failures = new Repetitions();
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.NEW;
    /** Also when CLOSED, until it has ended. */
    private @Nullable Thread thread;

    private boolean called;

    /** The work of the thread. */
    @FunctionalInterface
    public interface Work {
        /**
         * Processes everything there is to do; never called by two threads at once. If it throws, the remaining items
         * must be found by the next call.
         */
        void doAll() throws InterruptedException;
    }

    /**
     * Does nothing before {@link #start}.
     *
     * @param name of the work, for the log
     * @param threads makes a thread for each run
     * @param scheduler schedules retries
     */
    public SoleWorker(String name, ThreadFactory threads, Work work, ScheduledExecutorService scheduler) {
        this.name = name;
        this.threads = threads;
        this.work = work;
        this.scheduler = scheduler;
    }

    /** Starts, including the work requested before. */
    public void start() {
        lock.lock();
        try {
            if (state == State.NEW) {
                state = State.IDLE;
            }
            begin();
        } finally {
            lock.unlock();
        }
    }

    /** Requests a run; if one is in progress, another follows it. */
    public void call() {
        lock.lock();
        try {
            called = true;
            begin();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the work and waits a limited time for its end; it does not run again. */
    @Override
    public void close() {
        Thread working;
        lock.lock();
        try {
            state = State.CLOSED;
            working = thread;
        } finally {
            lock.unlock();
        }
        if (working == null) {
            return;
        }
        working.interrupt();
        try {
            working.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin() {
        if (state != State.IDLE || !called) {
            return;
        }
        try {
            Thread made = threads.newThread(this::run);
            made.start();
            thread = made;
            state = State.WORKING;
        } catch (RuntimeException | Error none) {
            failed(none);
        }
    }

    private void run() {
        try {
            while (isWanted()) {
                work.doAll();
            }
        } catch (InterruptedException | RuntimeException | Error failure) {
            lock.lock();
            try {
                ended();
                called = true;
                failed(failure);
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isWanted() {
        lock.lock();
        try {
            boolean isWanted = called && state == State.WORKING;
            called = false;
            if (!isWanted) {
                ended();
            }
            return isWanted;
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        thread = null;
        if (state == State.WORKING) {
            state = State.IDLE;
        }
    }

    private void failed(Throwable failure) {
        if (state == State.CLOSED || scheduler.isShutdown()) {
            return;
        }
        try {
            scheduler.schedule(this::endPause, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            state = State.PAUSING;
            failures.next(name)
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("worker", name)
                            .addKeyValue("leftOut", leftOut)
                            .log("Work could not be done and is tried again later"));
        } catch (RejectedExecutionException ends) {
            LOG.debug("Nothing is tried again: the process ends");
        }
    }

    private void endPause() {
        lock.lock();
        try {
            if (state == State.PAUSING) {
                state = State.IDLE;
            }
            begin();
        } finally {
            lock.unlock();
        }
    }
}
