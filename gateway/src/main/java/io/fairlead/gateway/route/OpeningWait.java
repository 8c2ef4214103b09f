package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * How requests wait for a hosted cluster that is just being opened: for a while, and not too many at once.
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

    /** Returns when the cluster is open, when the time is over, or at once if too many wait already. */
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
