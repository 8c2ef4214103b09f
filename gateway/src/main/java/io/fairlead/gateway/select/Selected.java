package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Received;

/** A request with its target; only {@link Selector} makes one. */
public final class Selected {
    private final Received received;
    private final Target target;

    Selected(Received received, Target target) {
        this.received = received;
        this.target = target;
    }

    public Received received() {
        return received;
    }

    public Target target() {
        return target;
    }
}
