package io.fairlead.hosted.crd;

import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.ByteBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory of what one cluster has converted by webhooks at a time: callers wait for it in the order in which they came.
 *
 * <p>Threads: any; blocks.
 */
final class ConversionRoom {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int UNIT = 1024;

    private final ByteBudget whole;
    private final int unitsMax;
    private final Semaphore free;

    /**
     * The room of one cluster.
     *
     * @param whole the budget of the process, from which all bytes are taken
     * @param bytesMax the most that the cluster takes of it
     */
    ConversionRoom(ByteBudget whole, long bytesMax) {
        this.whole = whole;
        this.unitsMax = Math.clamp(Math.min(bytesMax, whole.bytesMax()) / UNIT, 1, Integer.MAX_VALUE);
        this.free = new Semaphore(unitsMax, true);
    }

    /**
     * Takes bytes until closed; a larger need counts as all that there are, and then has them for itself.
     *
     * @throws io.fairlead.model.StatusException 429 if there is no room in time
     */
    Hold take(long bytes) throws InterruptedException {
        int units = Math.clamp(bytes / UNIT + 1, 1, unitsMax);
        if (!free.tryAcquire(units, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw Refusals.tooManyRequests(
                    "so many objects of this cluster are being converted by webhooks that this one"
                            + " waited longer than " + PATIENCE.toSeconds() + " s (expected at most "
                            + (long) unitsMax * UNIT
                            + " bytes at a time, of limits.hostedBytesPerClusterMax)");
        }
        long taken = (long) units * UNIT;
        if (!whole.take(taken)) {
            free.release(units);
            throw Refusals.tooManyRequests("of all hosted clusters' answers, " + whole.taken()
                    + " bytes are under way (expected at most " + whole.bytesMax() + ", limits.hostedBytesMax)");
        }
        return () -> {
            whole.give(taken);
            free.release(units);
        };
    }

    /** Bytes that are taken; to be closed once. */
    @FunctionalInterface
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }
}
