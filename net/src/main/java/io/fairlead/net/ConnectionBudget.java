package io.fairlead.net;

import org.jspecify.annotations.Nullable;

/**
 * How many connections there may be, of one upstream and with it of all: each takes a descriptor of the process. Those that are
 * being made count. A connection is refused only while there is none left. Thread-safe.
 */
final class ConnectionBudget {
    private final int max;
    private final @Nullable ConnectionBudget whole;
    /** One for the whole and all its parts, whose numbers change together: connections are made rarely. */
    private final Object lock;

    private int taken;

    /** The budget of all upstreams. */
    ConnectionBudget(int max) {
        this.max = max;
        this.whole = null;
        this.lock = new Object();
    }

    private ConnectionBudget(int max, ConnectionBudget whole) {
        this.max = max;
        this.whole = whole;
        this.lock = whole.lock;
    }

    /** A part of this budget for one upstream; the parts may exceed the whole. */
    ConnectionBudget part(int partMax) {
        return new ConnectionBudget(partMax, this);
    }

    /** Takes one; false if there is none left. */
    boolean take() {
        synchronized (lock) {
            if (taken == max || (whole != null && !whole.take())) {
                return false;
            }
            taken++;
            return true;
        }
    }

    /** Takes one for later use, if more than a quarter is left; false otherwise. */
    boolean takeSpare() {
        synchronized (lock) {
            return isPlentyLeft() && (whole == null || whole.isPlentyLeft()) && take();
        }
    }

    private boolean isPlentyLeft() {
        return max - taken > max / 4;
    }

    void giveBack() {
        synchronized (lock) {
            taken--;
            if (whole != null) {
                whole.giveBack();
            }
        }
    }
}
