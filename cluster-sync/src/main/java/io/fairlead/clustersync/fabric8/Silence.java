package io.fairlead.clustersync.fabric8;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** For how long a server has said nothing of what it serves. Any thread; takes no lock. */
final class Silence {
    /** How long a watch that stands may be quiet: API servers send a bookmark each minute, and one may be late. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(90);

    /** After so long something else confirms what was learnt, so that it is not stale before that is done. */
    private static final long QUIET_ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(75);

    private final LongSupplier nanoTime;
    private volatile boolean listedOnce;
    private volatile long heardNanos;
    private volatile boolean lapsed;

    Silence(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether the server was silent for so long that only a complete list says anew what it serves. */
    boolean hasLapsed() {
        return lapsed;
    }

    /** Nothing but a complete list counts from now on. */
    void lapse() {
        lapsed = true;
    }

    /** A list is complete. */
    void listed() {
        lapsed = false;
        heardNanos = nanoTime.getAsLong();
        listedOnce = true;
    }

    /**
     * A watch said something. After a lapse that may be the first of many changes, or that the history is forgotten, so that it
     * does not count.
     *
     * @return whether it lapses by that, so that a list is due
     */
    boolean heard() {
        long now = nanoTime.getAsLong();
        if (lapsed) {
            return false;
        }
        if (listedOnce && now - heardNanos > QUIET_NANOS) {
            lapsed = true;
            return true;
        }
        heardNanos = now;
        return false;
    }

    /** What was learnt held at a time. */
    void confirmed(long atNanos) {
        if (!lapsed && atNanos - heardNanos > 0) {
            heardNanos = atNanos;
        }
    }

    /** Whether a watch that stands is quiet for so long that something else should confirm what was learnt. */
    boolean isQuiet() {
        return listedOnce && nanoTime.getAsLong() - heardNanos > QUIET_ENOUGH_NANOS;
    }

    /**
     * As {@link io.fairlead.clustersync.source.TypeSource.Feed#silentNanos}.
     *
     * @param watching whether a watch stands
     */
    long nanos(boolean watching) {
        if (!listedOnce) {
            return Long.MAX_VALUE;
        }
        long silent = nanoTime.getAsLong() - heardNanos;
        if (!watching || lapsed) {
            return Math.max(silent, 1);
        }
        return silent <= QUIET_NANOS ? 0 : Long.MAX_VALUE;
    }
}
