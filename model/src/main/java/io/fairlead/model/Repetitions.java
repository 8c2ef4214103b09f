package io.fairlead.model;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Decides which repetitions of a line are worth a place in the log: of each kind the first ones at once, and then one a minute,
 * with how many were left out before it. What a client, a cluster or a disk can cause again and again then costs the log little,
 * however often it happens.
 *
 * <p>Kinds are bounded in number: when {@value #KINDS_MAX} were told of lately, all others count as one.
 *
 * <p>Threads: any.
 */
public final class Repetitions {
    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int KINDS_MAX = 1_000;
    private static final int CHANGES_AT_ONCE = 10;

    private final int atOnce;
    private final LongSupplier nanoTime;

    /** What was told of each kind; the one that was told of longest ago comes first. */
    private final Map<Object, Told> told = new LinkedHashMap<>();

    /** Of all kinds for which there is no room. Made at once: without descriptors a class cannot always be loaded. */
    private final Told others = new Told();

    /** The generic cell rate algorithm (ITU-T I.371): a line moves the time on by a minute, which may be so far ahead. */
    private static final class Told {
        private boolean ever;
        private long aheadToNanos;
        private long leftOut;

        /** How far ahead the time is. */
        long aheadNanos(long nowNanos) {
            return ever ? Math.max(0, aheadToNanos - nowNanos) : 0;
        }
    }

    /** One at once: for failures, of which the first says what the others do. */
    public Repetitions() {
        this(1, System::nanoTime);
    }

    /**
     * By a clock of its own.
     *
     * @param atOnce how many of a kind are told at once, at least one
     * @param nanoTime by which a minute is measured
     */
    Repetitions(int atOnce, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.nanoTime = nanoTime;
    }

    /** Ten at once: for changes between states, each of which is news until they go on and on. */
    public static Repetitions ofChanges() {
        return new Repetitions(CHANGES_AT_ONCE, System::nanoTime);
    }

    /**
     * Something happened.
     *
     * @param kind what must not be told of too often, such as a name; of bounded size, since it is kept
     * @return if it is to be told of, how often it was not since the last time; empty if it is not to be told of
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

    /** Whether another kind can be kept, if need be in the place of one that was not told of lately. */
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
