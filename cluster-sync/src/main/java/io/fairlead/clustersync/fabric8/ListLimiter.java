package io.fairlead.clustersync.fabric8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Permits for the concurrent lists of a fleet, granted in order of arrival.
 *
 * <pre>
 * WAITING - a permit is free -> HELD
 * HELD    - others wait, and the server is silent for too long -> LAPSED; the permit goes to the next
 * LAPSED  - the server sends something -> WAITING, behind those who wait already
 * any     - end -> OVER
 * </pre>
 *
 * <p>A permit covers the page that a list holds in memory, not a request: a silent server costs nothing, and must not
 * delay others. So a list whose permit lapsed still waits for its server; one that failed before waits without a permit
 * from the start; data that then arrives is not read until there is a permit again. A server that answers may be slow
 * because the list is large: of such servers, at most as many permits lapse at once as exist.
 *
 * <p>Threads: any. Requests that waited for a permit run on the executor, never under the lock.
 */
final class ListLimiter {
    /** How long a server that has not answered yet may keep a permit that others wait for. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /**
     * How long a server that answered may send less than {@link #PROGRESS_BYTES}; longer than the interval of health
     * checks.
     */
    static final Duration LIVE_SERVER_TIMEOUT = Duration.ofSeconds(15);

    static final int PROGRESS_BYTES = 64 << 10;

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int placesMax;
    private final Timer timer;
    private final Executor executor;
    private final Set<Turn> held = new LinkedHashSet<>();
    private final Set<Turn> waiting = new LinkedHashSet<>();
    /** For servers that answer. */
    private final Set<Turn> lapsed = new LinkedHashSet<>();

    private boolean looking;

    /**
     * @param placesMax the most concurrent lists
     *
     * @param executor runs requests that waited for a permit
     */
    ListLimiter(int placesMax, Timer timer, Executor executor) {
        this.placesMax = placesMax;
        this.timer = timer;
        this.executor = executor;
    }

    /**
     * The turn of a list that begins.
     *
     * @param lives whether the server answered before
     */
    Turn take(boolean lives) {
        Turn turn = new Turn(State.WAITING);
        turn.lives = lives;
        return admitted(turn);
    }

    /** The turn of a list after a failure of the server: it gets a permit once the server answers. */
    Turn takeWithoutPlace() {
        return new Turn(State.LAPSED);
    }

    /** The turn of no list, already over. */
    Turn none() {
        return new Turn(State.OVER);
    }

    synchronized int heldCount() {
        return held.size();
    }

    synchronized int waitingCount() {
        return waiting.size();
    }

    /** A hook for tests after each step. */
    synchronized void assertConsistent() {
        check(held.size() <= placesMax, "more places are held than there are");
        check(waiting.isEmpty() || held.size() == placesMax, "somebody waits for a place that is free");
        check(held.stream().allMatch(turn -> turn.state == State.HELD), "a place is held by nobody");
        check(lapsed.size() <= placesMax, "more places lapsed than there are");
        check(lapsed.stream().allMatch(turn -> turn.state == State.LAPSED), "a place lapsed for nobody");
        check(waiting.stream().allMatch(turn -> turn.state == State.WAITING), "somebody waits for nothing");
    }

    private static void check(boolean holds, String problem) {
        if (!holds) {
            throw new AssertionError(problem);
        }
    }

    private Turn admitted(Turn turn) {
        List<Runnable> steps;
        synchronized (this) {
            turn.queue();
            steps = handOut();
        }
        run(steps);
        return turn;
    }

    /** Grants free permits to waiting turns; the caller must run the returned actions. */
    private List<Runnable> handOut() {
        List<Runnable> steps = new ArrayList<>();
        for (Iterator<Turn> next = waiting.iterator(); next.hasNext() && held.size() < placesMax; ) {
            Turn turn = next.next();
            next.remove();
            held.add(turn);
            steps.addAll(turn.placed());
        }
        if (!waiting.isEmpty() && !looking) {
            looking = true;
            timer.after(LOOK_EVERY_NANOS, this::look);
        }
        return steps;
    }

    /** Takes permits from turns that do not use them. */
    private void look() {
        List<Runnable> steps;
        synchronized (this) {
            looking = false;
            if (!waiting.isEmpty()) {
                held.removeIf(Turn::lapses);
            }
            steps = handOut();
        }
        run(steps);
    }

    private void run(List<Runnable> steps) {
        for (Runnable step : steps) {
            try {
                executor.execute(step);
            } catch (RejectedExecutionException ended) {
                // The process is shutting down.
            }
        }
    }

    private enum State {
        WAITING,
        HELD,
        LAPSED,
        OVER
    }

    /** Whether the server's data may be read. */
    enum Reading {
        /** Continue. */
        NOW,
        /** Not before {@link Turn#whenPlaced}. */
        LATER,
        /** No longer needed. */
        NEVER
    }

    /** One list's turn. */
    final class Turn {
        private final long takenNanos = timer.nanoTime();
        private final List<Runnable> steps = new ArrayList<>();
        private State state;
        private long waitedNanos;
        private long waitingSinceNanos;

        /** Whether a request is outstanding, and since when the server has sent almost nothing. */
        private boolean asking;

        private long quietSinceNanos;
        private int bytes;
        private long readBytes;
        private boolean lives;

        private Turn(State state) {
            this.state = state;
        }

        /** Sends a request: now, or once there is a permit. Drops it if the turn is over by then. */
        void ask(Runnable request, Runnable drop) {
            boolean asks;
            synchronized (ListLimiter.this) {
                if (state == State.WAITING) {
                    steps.add(() -> ask(request, drop));
                    return;
                }
                asks = state != State.OVER;
                asking = asks;
                quietSinceNanos = timer.nanoTime();
                bytes = 0;
            }
            (asks ? request : drop).run();
        }

        /** The server sent something. */
        Reading arrived(int count) {
            synchronized (ListLimiter.this) {
                lives |= count > 0;
                bytes = Math.min(bytes + count, PROGRESS_BYTES);
                if (bytes == PROGRESS_BYTES) {
                    bytes = 0;
                    quietSinceNanos = timer.nanoTime();
                }
                return switch (state) {
                    case HELD -> Reading.NOW;
                    case LAPSED, WAITING -> Reading.LATER;
                    case OVER -> Reading.NEVER;
                };
            }
        }

        /** Counts bytes read for the list. Returns the sum over all pages. */
        long read(int count) {
            synchronized (ListLimiter.this) {
                readBytes += count;
                return readBytes;
            }
        }

        /** The server answered elsewhere. */
        void lives() {
            synchronized (ListLimiter.this) {
                lives = true;
                quietSinceNanos = timer.nanoTime();
            }
        }

        /** Runs an action once there is a permit, for which the turn waits from now on, or once the turn is over. */
        void whenPlaced(Runnable step) {
            List<Runnable> ready;
            synchronized (ListLimiter.this) {
                steps.add(step);
                if (state == State.LAPSED) {
                    queue();
                }
                ready = state == State.WAITING ? handOut() : takeSteps();
            }
            run(ready);
        }

        /** The answer is complete, or failed: the server is idle from now on. */
        void answered() {
            synchronized (ListLimiter.this) {
                asking = false;
            }
        }

        /** The list is complete or cancelled. */
        void end() {
            List<Runnable> ready;
            synchronized (ListLimiter.this) {
                state = State.OVER;
                held.remove(this);
                waiting.remove(this);
                lapsed.remove(this);
                ready = takeSteps();
                ready.addAll(handOut());
            }
            run(ready);
        }

        /** The duration of the list so far, without waits for permits. */
        long spentNanos() {
            synchronized (ListLimiter.this) {
                long now = timer.nanoTime();
                long waits = state == State.WAITING ? now - waitingSinceNanos : 0;
                return now - takenNanos - waitedNanos - waits;
            }
        }

        private void queue() {
            state = State.WAITING;
            waitingSinceNanos = timer.nanoTime();
            lapsed.remove(this);
            waiting.add(this);
        }

        private List<Runnable> placed() {
            long now = timer.nanoTime();
            state = State.HELD;
            waitedNanos += now - waitingSinceNanos;
            quietSinceNanos = now;
            bytes = 0;
            return takeSteps();
        }

        private boolean lapses() {
            Duration patience = lives ? LIVE_SERVER_TIMEOUT : PATIENCE;
            boolean silent = asking && timer.nanoTime() - quietSinceNanos >= patience.toNanos();
            if (!silent || (lives && lapsed.size() == placesMax)) {
                return false;
            }
            state = State.LAPSED;
            if (lives) {
                lapsed.add(this);
            }
            return true;
        }

        private List<Runnable> takeSteps() {
            List<Runnable> taken = new ArrayList<>(steps);
            steps.clear();
            return taken;
        }
    }

    /** A clock and a timer. */
    interface Timer {
        long nanoTime();

        void after(long nanos, Runnable task);

        /** The scheduler's; actions due after its end are dropped. */
        static Timer of(ScheduledExecutorService scheduler) {
            return new Timer() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void after(long nanos, Runnable task) {
                    try {
                        var _ = scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
                    } catch (RejectedExecutionException ended) {
                        // The process is shutting down.
                    }
                }
            };
        }
    }
}
