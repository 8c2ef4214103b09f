package io.fairlead.gateway.edge;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Bounded waiting for a state that comes by itself. */
final class Await {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Await() {}

    static void until(BooleanSupplier state) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!state.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not so within " + TIMEOUT);
            }
            moment();
        }
    }

    /** Lets others go on for a moment; nothing is to be concluded from its end. */
    static void moment() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
