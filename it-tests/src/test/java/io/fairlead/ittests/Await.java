package io.fairlead.ittests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Bounded polling of a world that sends no signals. */
final class Await {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    /**
     * Polls until the condition holds; a throwing condition counts as one that does not.
     *
     * @throws AssertionError naming what was awaited, after the time is over
     */
    static void until(String what, Duration timeout, Callable<Boolean> condition) {
        long end = System.nanoTime() + timeout.toNanos();
        Exception last = null;
        do {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        } while (System.nanoTime() < end);
        throw failure(what, timeout, last);
    }

    private static AssertionError failure(String what, Duration timeout, @Nullable Exception last) {
        return new AssertionError(
                "not within " + timeout + ": " + what + (last == null ? "" : " (" + last + ")"), last);
    }
}
