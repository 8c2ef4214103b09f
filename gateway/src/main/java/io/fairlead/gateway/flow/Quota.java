package io.fairlead.gateway.flow;

import io.fairlead.gateway.limits.Limit;
import java.util.concurrent.atomic.AtomicInteger;

/** A limit on concurrent requests. Any thread. */
final class Quota {
    private final Limit limit;
    private final int max;
    private final AtomicInteger taken = new AtomicInteger();

    Quota(Limit limit, int max) {
        this.limit = limit;
        this.max = max;
    }

    Limit limit() {
        return limit;
    }

    /** Takes one; false if none is left. */
    boolean take() {
        if (taken.incrementAndGet() <= max) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    int taken() {
        return taken.get();
    }

    boolean isFull() {
        return taken.get() >= max;
    }

    void giveBack() {
        taken.decrementAndGet();
    }
}
