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
 * The places of a fleet for lists that are under way: only so many at once, first come, first served.
 *
 * <pre>
 * WAITING - a place is free -> HELD
 * HELD    - others wait, and the server is silent for too long -> LAPSED; the place goes to the next
 * LAPSED  - the server sends something -> WAITING, behind those who wait already
 * any     - end -> OVER
 * </pre>
 *
 * <p>A place stands for the page that a list holds in memory, not for a request: a server that is silent costs nothing, and
 * must not keep others from theirs. So a list whose place lapsed goes on waiting for its server, and so does one that failed
 * before, without a place from the start; what then arrives is not read on until there is a place again. A server that
 * answers may be slow because it is asked for much: of such ones no more places lapse at once than there are.
 *
 * <p>Threads: any. What waited for a place runs on the executor, never under the lock.
 */
final class ListLimiter {
    /** How long a server of which nothing was heard yet may keep a place that others wait for. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** How long one that answered may send less than {@link #PROGRESS_BYTES}; health checks are less far apart. */
    static final Duration LIVE_SERVER_TIMEOUT = Duration.ofSeconds(15);

    static final int PROGRESS_BYTES = 64 << 10;

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int placesMax;
    private final Timer timer;
    private final Executor executor;
    private final Set<Turn> held = new LinkedHashSet<>();
    private final Set<Turn> waiting = new LinkedHashSet<>();
    /** Of servers that live. */
    private final Set<Turn> lapsed = new LinkedHashSet<>();

    private boolean looking;

    /**
     * @param placesMax lists under way at once
     * @param executor runs what waited for a place
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

    /** The turn of a list that begins although the server failed the last time: it gets a place once the server answers. */
    Turn takeWithoutPlace() {
        return new Turn(State.LAPSED);
    }

    /** The turn of no list, which is over from the start. */
    Turn none() {
        return new Turn(State.OVER);
    }

    synchronized int heldCount() {
        return held.size();
    }

    synchronized int waitingCount() {
        return waiting.size();
    }

    /** What a test calls after each step. */
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

    /** Gives free places to those who wait; what they waited with is to be run by the caller. */
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

    /** Takes places from those who do not use them. */
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
                // Nobody lists any more.
            }
        }
    }

    private enum State {
        WAITING,
        HELD,
        LAPSED,
        OVER
    }

    /** Whether what a server sends may be read. */
    enum Reading {
        /** Go on. */
        NOW,
        /** Not before {@link Turn#whenPlaced}. */
        LATER,
        /** Nobody wants it any more. */
        NEVER
    }

    /** One list's turn. */
    final class Turn {
        private final long takenNanos = timer.nanoTime();
        private final List<Runnable> steps = new ArrayList<>();
        private State state;
        private long waitedNanos;
        private long waitingSinceNanos;

        /** Whether the server is asked for something, and since when it sends next to nothing. */
        private boolean asking;

        private long quietSinceNanos;
        private int bytes;
        private long readBytes;
        private boolean lives;

        private Turn(State state) {
            this.state = state;
        }

        /** Sends a request: now, or once there is a place. Drops it if the turn is over by then. */
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

        /** Counts what is read of the list. Returns how many bytes that is by now, of all pages. */
        long read(int count) {
            synchronized (ListLimiter.this) {
                readBytes += count;
                return readBytes;
            }
        }

        /** The server was heard elsewhere. */
        void lives() {
            synchronized (ListLimiter.this) {
                lives = true;
                quietSinceNanos = timer.nanoTime();
            }
        }

        /** Does something once there is a place, which is waited for from now on, or once the turn is over. */
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

        /** The answer is complete, or failed: what comes next is not the server's affair. */
        void answered() {
            synchronized (ListLimiter.this) {
                asking = false;
            }
        }

        /** The list is complete or given up. */
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

        /** How long the list takes already, but for the time that it waited for places. */
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

    /** Time, and something to do later. */
    interface Timer {
        long nanoTime();

        void after(long nanos, Runnable task);

        /** The scheduler's; what is to be done after its end is dropped. */
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
                        // Nobody lists any more.
                    }
                }
            };
        }
    }
}
