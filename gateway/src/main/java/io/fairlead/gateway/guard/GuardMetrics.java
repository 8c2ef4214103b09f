package io.fairlead.gateway.guard;

import io.fairlead.index.history.WatchDecision;

/** Counts what the guards of one cluster's watches find; any thread. */
public interface GuardMetrics {
    /** Counts nothing. */
    GuardMetrics NONE = new GuardMetrics() {
        @Override
        public void judged(WatchDecision decision) {}

        @Override
        public void unguarded(int change) {}
    };

    /** An event was judged. */
    void judged(WatchDecision decision);

    /** So many more open watches cannot be judged. */
    void unguarded(int change);
}
