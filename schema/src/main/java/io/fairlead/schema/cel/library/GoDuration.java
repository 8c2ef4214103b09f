package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Durations as Go reads them ({@code 1h30m}); at most 2^63 nanoseconds long. */
public final class GoDuration {
    private static final int CHARS_MAX = 64;
    private static final BigInteger NANOS_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final Duration MAX = Duration.ofNanos(Long.MAX_VALUE);
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** The duration of a text, empty if it is none. */
    public static Optional<Duration> parse(String text) {
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String rest = signed ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        if (rest.isEmpty() || rest.length() > CHARS_MAX) {
            return Optional.empty();
        }
        BigDecimal nanos = BigDecimal.ZERO;
        int at = 0;
        while (at < rest.length()) {
            int number = end(rest, at, true);
            int unit = end(rest, number, false);
            Long factor = NANOS.get(rest.substring(number, unit));
            String digits = rest.substring(at, number);
            if (factor == null || !digits.matches("[0-9]+(\\.[0-9]*)?|\\.[0-9]+")) {
                return Optional.empty();
            }
            nanos = nanos.add(
                    new BigDecimal(digits.endsWith(".") ? digits + "0" : digits).multiply(BigDecimal.valueOf(factor)));
            at = unit;
        }
        BigInteger whole = nanos.toBigInteger();
        if (whole.compareTo(NANOS_MAX) > 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(text.startsWith("-") ? -whole.longValue() : whole.longValue()));
    }

    /** The duration, or an error if Go has none so long. */
    static Object bounded(Duration duration) {
        boolean fits = duration.abs().compareTo(MAX) <= 0;
        return fits ? duration : CelError.overflow("duration");
    }

    private static int end(String text, int from, boolean number) {
        int end = from;
        while (end < text.length() && isOfNumber(text.charAt(end)) == number) {
            end++;
        }
        return end;
    }

    private static boolean isOfNumber(char c) {
        return c == '.' || (c >= '0' && c <= '9');
    }
}
