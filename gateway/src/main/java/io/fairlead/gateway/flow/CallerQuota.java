package io.fairlead.gateway.flow;

import io.fairlead.gateway.limits.Limit;
import io.fairlead.model.CallerName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A limit on the concurrent requests of each caller. Any thread. */
final class CallerQuota {
    private final Limit limit;
    private final int max;

    /** No entry for 0. */
    private final ConcurrentMap<CallerName, Integer> taken = new ConcurrentHashMap<>();

    CallerQuota(Limit limit, int max) {
        this.limit = limit;
        this.max = max;
    }

    Limit limit() {
        return limit;
    }

    /** Takes one; false if the caller has none left. */
    boolean take(CallerName caller) {
        if (taken.merge(caller, 1, Integer::sum) <= max) {
            return true;
        }
        giveBack(caller);
        return false;
    }

    void giveBack(CallerName caller) {
        taken.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    }
}
