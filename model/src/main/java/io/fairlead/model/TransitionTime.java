package io.fairlead.model;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/**
 * The {@code lastTransitionTime} of a condition (API conventions, "Typical status properties"): RFC 3339 in UTC, whole
 * seconds. It never goes back, whatever the clock does.
 */
public final class TransitionTime {
    private TransitionTime() {}

    /**
     * The time to store.
     *
     * @param stored the stored time; empty if there is none. One that cannot be read counts as none
     * @param isTransition whether the status changes; nothing else moves a stored time
     */
    public static String next(String stored, boolean isTransition, Instant now) {
        Instant seconds = now.truncatedTo(ChronoUnit.SECONDS);
        return stays(stored, isTransition, seconds) ? stored : seconds.toString();
    }

    private static boolean stays(String stored, boolean isTransition, Instant now) {
        try {
            Instant before = Instant.parse(stored);
            return !isTransition || before.isAfter(now);
        } catch (DateTimeParseException none) {
            return false;
        }
    }
}
