package io.fairlead.gateway.limits;

/** Counts how often limits were reached. Called on event loops; never blocks. */
@FunctionalInterface
public interface LimitMeter {
    /** A client met a limit. */
    void reached(Limit limit);
}
