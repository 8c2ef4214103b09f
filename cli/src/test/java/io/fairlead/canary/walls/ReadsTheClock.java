package io.fairlead.canary.walls;

import java.util.function.LongSupplier;

/** By a method reference, which is no call. */
final class ReadsTheClock {
    private final LongSupplier clock = System::nanoTime;

    long now() {
        return clock.getAsLong();
    }
}
