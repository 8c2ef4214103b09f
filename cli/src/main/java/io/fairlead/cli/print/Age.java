package io.fairlead.cli.print;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** An age as kubectl prints it (apimachinery {@code util/duration}, {@code HumanDuration}). */
public final class Age {
    private Age() {}

    public static String of(Duration age) {
        long seconds = age.toSeconds();
        if (seconds < 0) {
            return seconds < -1 ? "<invalid>" : "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = age.toMinutes();
        if (minutes < 10) {
            return withRest(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = age.toHours();
        if (hours < 8) {
            return withRest(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = age.toDays();
        if (days < 8) {
            return withRest(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 8 * 365 ? withRest(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    /** How long ago a time was (RFC 3339); {@code <unknown>} of what is none. */
    public static String since(String time) {
        try {
            return of(Duration.between(Instant.parse(time), Instant.now()));
        } catch (DateTimeParseException none) {
            return "<unknown>";
        }
    }

    private static String withRest(long amount, String unit, long rest, String restUnit) {
        return rest == 0 ? amount + unit : amount + unit + rest + restUnit;
    }
}
