package io.fairlead.gateway.flow;

import io.fairlead.gateway.limits.Limit;
import java.util.concurrent.atomic.AtomicInteger;

/** A limit on concurrent requests. Any thread. */
final class Quota {
    private final Limit limit;
    private final String what;
    private final int max;
    private final AtomicInteger taken = new AtomicInteger();

    /** A limit; {@code what} names it in messages. */
    Quota(Limit limit, String what, int max) {
        this.limit = limit;
        this.what = what;
        this.max = max;
    }

    Limit limit() {
        return limit;
    }

    @Override
    public String toString() {
        return max + " " + what;
    }

    /** Takes one; false if none is left. */
    boolean take() {
        if (taken.incrementAndGet() <= max) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    void giveBack() {
        taken.decrementAndGet();
    }
}
