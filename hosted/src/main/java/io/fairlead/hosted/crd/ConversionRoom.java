package io.fairlead.hosted.crd;

import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory of what one cluster has converted by webhooks at a time. Who asks for little waits for it in the order of
 * coming; who asks for much has it in memory already, and is refused at once if there is no room.
 *
 * <p>Threads: any; blocks.
 */
final class ConversionRoom {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long WAITING_BYTES_MAX = 256 * 1024;
    private static final int UNIT = 1024;

    private final ByteBudget whole;
    private final int unitsMax;
    private final Semaphore free;

    /**
     * The room of one cluster.
     *
     * @param whole the room of all clusters
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
     * @throws StatusException 429 if there is no room
     */
    Hold take(long bytes) throws InterruptedException {
        Hold hold = new Hold();
        Duration patience = bytes > WAITING_BYTES_MAX ? Duration.ZERO : PATIENCE;
        if (!hold.grow(bytes, patience)) {
            throw full();
        }
        return hold;
    }

    private StatusException full() {
        return Refusals.tooManyRequests(
                "objects of this cluster are being converted by webhooks, and there is no room for"
                        + " more (expected at most " + (long) unitsMax * UNIT
                        + " bytes at a time, a part of limits.hostedBytesPerClusterMax)");
    }

    /** Bytes that are taken, for one thread. */
    final class Hold implements AutoCloseable {
        private int units;

        private Hold() {}

        /**
         * Takes more, without waiting for it.
         *
         * @throws StatusException 429 if there is no room
         */
        void grow(long bytes) throws InterruptedException {
            if (!grow(bytes, Duration.ZERO)) {
                throw full();
            }
        }

        private boolean grow(long bytes, Duration patience) throws InterruptedException {
            int more = Math.clamp(bytes / UNIT + 1, 0, unitsMax - units);
            if (!free.tryAcquire(more, patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            if (!whole.take((long) more * UNIT)) {
                free.release(more);
                return false;
            }
            units += more;
            return true;
        }

        @Override
        public void close() {
            whole.give((long) units * UNIT);
            free.release(units);
            units = 0;
        }
    }
}
