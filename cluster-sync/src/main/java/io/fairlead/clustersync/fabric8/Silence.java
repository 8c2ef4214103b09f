package io.fairlead.clustersync.fabric8;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How long a server has sent nothing about its types. Any thread; takes no lock. */
final class Silence {
    /** How long an established watch may be silent: API servers send a bookmark each minute, and one may be late. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(90);

    /** After this time a census confirms the known objects, before they count as stale. */
    private static final long QUIET_ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(75);

    private final LongSupplier nanoTime;
    private volatile boolean listedOnce;
    private volatile long heardNanos;
    private volatile boolean lapsed;

    Silence(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether the server was silent for so long that only a complete list makes its types known again. */
    boolean hasLapsed() {
        return lapsed;
    }

    /** Only a complete list counts from now on. */
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
     * A watch received something. After a lapse that may be the first of many changes, or the end of the history, so it
     * does not count.
     *
     * @return whether this ends the lapse, so that a list is due
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

    /** The known objects were current at a time. */
    void confirmed(long atNanos) {
        if (!lapsed && atNanos - heardNanos > 0) {
            heardNanos = atNanos;
        }
    }

    /** Whether an established watch is silent for so long that the known objects need a confirmation. */
    boolean isQuiet() {
        return listedOnce && nanoTime.getAsLong() - heardNanos > QUIET_ENOUGH_NANOS;
    }

    /**
     * As {@link io.fairlead.clustersync.source.TypeSource.Feed#silentNanos}.
     *
     * @param watching whether a watch is established
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
