package io.fairlead.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in the format of Go and Kubernetes: {@code 300ms}, {@code 5s}, {@code 1m30s}, {@code 2h}. */
final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|m|h)");

    private Durations() {}

    static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            sum = sum.plus(of(Long.parseLong(part.group(1)), part.group(2)));
            end = part.end();
        }
        if (end == 0 || end != text.length()) {
            throw new IllegalArgumentException("no duration");
        }
        return sum;
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
