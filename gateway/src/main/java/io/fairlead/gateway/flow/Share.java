package io.fairlead.gateway.flow;

import io.fairlead.gateway.answer.Outcome;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one request took of what is served at once. Given back when its answer is over and nobody works on it any more: a
 * client that leaves early must not make room for the next one while its work goes on.
 *
 * <p>Threads: any.
 */
public final class Share implements Outcome {
    private final AtomicInteger holders = new AtomicInteger(1);
    private final Runnable giveBack;

    Share(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /** Another one works on the request, until it calls {@link #release}. */
    public void hold() {
        holders.incrementAndGet();
    }

    public void release() {
        if (holders.decrementAndGet() == 0) {
            giveBack.run();
        }
    }

    @Override
    public void over() {
        release();
    }
}
