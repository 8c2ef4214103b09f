package io.fairlead.net;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there may be, of one upstream and with it of all: each takes a descriptor of the process. Those that are
 * being made count. Thread-safe.
 */
final class ConnectionBudget {
    private final int max;
    private final @Nullable ConnectionBudget whole;
    private final AtomicInteger taken = new AtomicInteger();

    /** That of all upstreams. */
    ConnectionBudget(int max) {
        this(max, null);
    }

    private ConnectionBudget(int max, @Nullable ConnectionBudget whole) {
        this.max = max;
        this.whole = whole;
    }

    /** A part of this for one upstream; the parts may be more than the whole. */
    ConnectionBudget part(int partMax) {
        return new ConnectionBudget(partMax, this);
    }

    /** Takes one; false if there is none left. */
    boolean take() {
        if (taken.incrementAndGet() > max) {
            taken.decrementAndGet();
            return false;
        }
        if (whole != null && !whole.take()) {
            taken.decrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack() {
        taken.decrementAndGet();
        if (whole != null) {
            whole.giveBack();
        }
    }
}
