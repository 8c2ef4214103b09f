package io.fairlead.gateway.flow;

import io.fairlead.gateway.answer.Outcome;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One request's share of the concurrency limits. Released when its answer has ended and no thread works on it: a client
 * that leaves early must not make room for another while its work continues.
 *
 * <p>Threads: any.
 */
public final class Share implements Outcome {
    private final AtomicInteger holders = new AtomicInteger(1);
    private final Runnable giveBack;

    Share(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /** Another thread works on the request, until it calls {@link #release}. */
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
