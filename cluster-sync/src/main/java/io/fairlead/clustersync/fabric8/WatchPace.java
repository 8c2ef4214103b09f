package io.fairlead.clustersync.fabric8;

import java.util.concurrent.TimeUnit;

/**
 * How fast the watches of one cluster are read. What it changes at once is read as fast as it comes; of a flood that goes on and on
 * so much that parsing it takes a small part of a processor. Meanwhile the transport's back-pressure holds the rest, and in the end
 * the API server, which ends watches that are read too slowly. A watch that is begun anew goes on at the pace of those before.
 *
 * <p>Any thread.
 */
final class WatchPace {
    /** What an event costs beside its bytes, in bytes. */
    static final int EVENT_BYTES = 8 * 1024;

    /** 1,000 small events a second. */
    static final long BYTES_PER_SECOND = 8L * 1024 * 1024;

    /** 4,000 definitions of 25 kB, or 16,000 small events. */
    static final long BYTES_AT_ONCE = 128L * 1024 * 1024;

    /** A flood is read in pieces that are worth waking up for. */
    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long NANOS_AT_ONCE = nanos(BYTES_AT_ONCE);

    /** Until when what was read takes at this pace. */
    private long paidNanos;

    private boolean hasBegun;

    /** Counts what has been read; returns for how long no more must be read, which is 0 as long as it is not too much. */
    long pauseAfter(byte[] read, long nowNanos) {
        return pauseAfter(cost(read), nowNanos);
    }

    private static long cost(byte[] read) {
        long cost = read.length;
        for (byte one : read) {
            if (one == '\n') {
                cost += EVENT_BYTES;
            }
        }
        return cost;
    }

    private synchronized long pauseAfter(long cost, long nowNanos) {
        if (!hasBegun) {
            hasBegun = true;
            paidNanos = nowNanos - NANOS_AT_ONCE;
        }
        paidNanos += Math.max(0, nowNanos - NANOS_AT_ONCE - paidNanos) + nanos(cost);
        long ahead = paidNanos - nowNanos;
        return ahead <= 0 ? 0 : Math.max(ahead, PAUSE_NANOS_MIN);
    }

    private static long nanos(long bytes) {
        return bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
    }
}
