package io.fairlead.gateway.flow;

import io.fairlead.gateway.limits.Limit;
import java.util.concurrent.atomic.AtomicInteger;

/** So many at once. Any thread. */
final class Quota {
    private final Limit limit;
    private final String what;
    private final int max;
    private final AtomicInteger taken = new AtomicInteger();

    /** So many of {@code what}, in words. */
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

    /** Takes one, if there is one left. */
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
