package io.fairlead.model;

import java.time.Duration;

/** An age as people read it, with two or three figures: {@code 45s}, {@code 3m12s}, {@code 5d}, {@code 2y40d} (apimachinery {@code util/duration}). */
public final class HumanDuration {
    private static final int DAYS_OF_YEAR = 365;

    private HumanDuration() {}

    public static String of(Duration age) {
        // Whole seconds towards zero; clocks may differ by less than two.
        long seconds = age.toMillis() / 1000;
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        return seconds < 120 ? seconds + "s" : ofMinutes(seconds / 60, seconds % 60);
    }

    private static String ofMinutes(long minutes, long seconds) {
        if (minutes < 10) {
            return two(minutes, "m", seconds, "s");
        }
        return minutes < 180 ? minutes + "m" : ofHours(minutes / 60, minutes % 60);
    }

    private static String ofHours(long hours, long minutes) {
        if (hours < 8) {
            return two(hours, "h", minutes, "m");
        }
        return hours < 48 ? hours + "h" : ofDays(hours / 24, hours % 24);
    }

    private static String ofDays(long days, long hours) {
        if (days < 8) {
            return two(days, "d", hours, "h");
        }
        if (days < 2 * DAYS_OF_YEAR) {
            return days + "d";
        }
        return days < 8 * DAYS_OF_YEAR
                ? two(days / DAYS_OF_YEAR, "y", days % DAYS_OF_YEAR, "d")
                : days / DAYS_OF_YEAR + "y";
    }

    private static String two(long whole, String unit, long rest, String restUnit) {
        return rest == 0 ? whole + unit : whole + unit + rest + restUnit;
    }
}
