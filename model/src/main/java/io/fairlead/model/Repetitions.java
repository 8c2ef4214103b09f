package io.fairlead.model;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Limits repeated log lines: of each kind the first ones at once, and then one a minute, with the number omitted before
 * it. So events that a client, a cluster or a disk can cause repeatedly do not flood the log.
 *
 * <p>The number of kinds is bounded: beyond {@value #KINDS_MAX} recent ones, all others count as one.
 *
 * <p>Threads: any.
 */
public final class Repetitions {
    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int KINDS_MAX = 1_000;
    private static final int CHANGES_AT_ONCE = 10;

    private final int atOnce;
    private final LongSupplier nanoTime;

    /** The state of each kind; the least recently logged comes first. */
    private final Map<Object, Told> told = new LinkedHashMap<>();

    /** For all kinds without room. Created at once: without descriptors a class cannot always be loaded. */
    private final Told others = new Told();

    /** The generic cell rate algorithm (ITU-T I.371): a line advances the time by a minute, up to this limit. */
    private static final class Told {
        private boolean ever;
        private long aheadToNanos;
        private long leftOut;

        /** How far ahead the time is. */
        long aheadNanos(long nowNanos) {
            return ever ? Math.max(0, aheadToNanos - nowNanos) : 0;
        }
    }

    /** One at once: for failures, of which the first represents the others. */
    public Repetitions() {
        this(1, System::nanoTime);
    }

    /**
     * With a given clock.
     *
     * @param atOnce the lines of a kind to log at once, at least one
     * @param nanoTime the clock
     */
    Repetitions(int atOnce, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.nanoTime = nanoTime;
    }

    /** Ten at once: for state changes, each of which is news until they repeat. */
    public static Repetitions ofChanges() {
        return new Repetitions(CHANGES_AT_ONCE, System::nanoTime);
    }

    /**
     * Records an event.
     *
     * @param kind the key of the limit, such as a name; of bounded size, since it is kept
     * @return if it should be logged, the number omitted since the last one; otherwise empty
     */
    public synchronized OptionalLong next(Object kind) {
        long nowNanos = nanoTime.getAsLong();
        Told last = told.get(kind);
        if (last == null) {
            last = hasRoom(nowNanos) ? new Told() : others;
        }
        long aheadNanos = last.aheadNanos(nowNanos);
        if (aheadNanos > (atOnce - 1) * INTERVAL_NANOS) {
            last.leftOut++;
            return OptionalLong.empty();
        }
        if (last != others) {
            told.remove(kind);
            told.put(kind, last);
        }
        last.ever = true;
        last.aheadToNanos = nowNanos + aheadNanos + INTERVAL_NANOS;
        long leftOut = last.leftOut;
        last.leftOut = 0;
        return OptionalLong.of(leftOut);
    }

    /** Whether another kind can be kept, if necessary in place of one not logged lately. */
    private boolean hasRoom(long nowNanos) {
        if (told.size() < KINDS_MAX) {
            return true;
        }
        Iterator<Told> oldest = told.values().iterator();
        if (oldest.next().aheadNanos(nowNanos) > 0) {
            return false;
        }
        oldest.remove();
        return true;
    }
}
