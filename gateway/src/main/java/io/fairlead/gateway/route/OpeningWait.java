package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Bounds the wait of requests for a hosted cluster that is being opened, in time and number.
 *
 * <p>Threads: any; waiting blocks.
 */
public final class OpeningWait {
    private final Duration wait;
    private final Semaphore waiters;

    public OpeningWait(Duration wait, int waitersMax) {
        this.wait = wait;
        this.waiters = new Semaphore(waitersMax);
    }

    /** Returns when the cluster is open, on timeout, or at once if too many wait already. */
    public void await(ClusterEntry.Opening cluster) {
        if (!waiters.tryAcquire()) {
            return;
        }
        try {
            cluster.opens().await(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiters.release();
        }
    }
}
