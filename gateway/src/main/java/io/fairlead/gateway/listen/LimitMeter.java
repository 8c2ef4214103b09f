package io.fairlead.gateway.listen;

/** Counts how often limits were reached. Called on event loops; never blocks. */
@FunctionalInterface
public interface LimitMeter {
    /** A client met a limit. */
    void reached(Limit limit);
}
