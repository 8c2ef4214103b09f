package io.fairlead.ittests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
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

    /**
     * Polls until nothing is wrong.
     *
     * @param wrong what is wrong now; empty if nothing is
     * @throws AssertionError naming what was awaited and what was wrong last, after the time is over
     */
    static void untilNothing(String what, Duration timeout, Supplier<String> wrong) {
        long end = System.nanoTime() + timeout.toNanos();
        String last = wrong.get();
        while (!last.isEmpty()) {
            if (System.nanoTime() > end) {
                throw failure(what + ": " + last, timeout, null);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            last = wrong.get();
        }
    }

    private static AssertionError failure(String what, Duration timeout, @Nullable Exception last) {
        return new AssertionError(
                "not within " + timeout + ": " + what + (last == null ? "" : " (" + last + ")"), last);
    }
}
