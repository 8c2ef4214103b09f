package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;

/** A request with its target; only {@link Selector} makes one. */
public final class Selected {
    private final Received received;
    private final Target target;
    private final Arrival arrival;

    Selected(Received received, Target target, Arrival arrival) {
        this.received = received;
        this.target = target;
        this.arrival = arrival;
    }

    public Received received() {
        return received;
    }

    public Target target() {
        return target;
    }

    /** How it came in, which the target rests on. */
    public Arrival arrival() {
        return arrival;
    }
}
