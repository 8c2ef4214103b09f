package io.fairlead.schema.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of quantities (apimachinery {@code resource.Quantity}): {@code 250m}, {@code 1.5Gi}, {@code 3e2}. */
public final class Quantities {
    /** Longer texts are no quantities. */
    public static final int CHARS_MAX = 1000;

    private static final Pattern TEXT =
            Pattern.compile("([-+]?(?:[0-9]+(?:\\.[0-9]*+)?|\\.[0-9]+))(|[numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,9})");
    private static final int NANO = 9;
    private static final int LONG_DIGITS = 18;
    /** Numbers of so many digits before or after the point are beyond every bound. */
    private static final int DIGITS_FAR = 2000;
    /** One for each factor of a thousand, from {@link #NANO} on. */
    private static final List<String> UNITS = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    /** One for each factor of 1024. */
    private static final List<String> BINARY_UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Map<String, BigDecimal> FACTORS = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("n", BigDecimal.valueOf(1, 9)),
            Map.entry("u", BigDecimal.valueOf(1, 6)),
            Map.entry("m", BigDecimal.valueOf(1, 3)),
            Map.entry("k", BigDecimal.valueOf(1, -3)),
            Map.entry("M", BigDecimal.valueOf(1, -6)),
            Map.entry("G", BigDecimal.valueOf(1, -9)),
            Map.entry("T", BigDecimal.valueOf(1, -12)),
            Map.entry("P", BigDecimal.valueOf(1, -15)),
            Map.entry("E", BigDecimal.valueOf(1, -18)),
            Map.entry("Ki", binary(10)),
            Map.entry("Mi", binary(20)),
            Map.entry("Gi", binary(30)),
            Map.entry("Ti", binary(40)),
            Map.entry("Pi", binary(50)),
            Map.entry("Ei", binary(60)));

    private Quantities() {}

    private static BigDecimal binary(int bits) {
        return BigDecimal.valueOf(1L << bits);
    }

    /** What a text stands for, rounded away from zero to a billionth and at most 2^63-1; empty if it is no quantity. */
    public static Optional<BigDecimal> value(String text) {
        Matcher matcher = matcher(text);
        return matcher.matches() ? Optional.of(value(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    /**
     * A text as Go writes it: as it is if it is short and has no smaller form at first sight, else with the largest unit that
     * leaves no fraction, in the text's own format (decimal, binary, or with an exponent); empty if it is no quantity.
     */
    public static Optional<String> canonical(String text) {
        Matcher matcher = matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String digits = matcher.group(1);
        String suffix = matcher.group(2);
        boolean isBinary = suffix.endsWith("i");
        if (isKept(digits, suffix, isBinary)) {
            return Optional.of(text);
        }
        BigDecimal value = toNano(exact(digits, suffix));
        String written = written(value, suffix);
        return written.length() > CHARS_MAX ? Optional.empty() : Optional.of(written);
    }

    /** Rounds away from zero to a billionth, without writing out a number that is much smaller. */
    private static BigDecimal toNano(BigDecimal value) {
        if (value.scale() <= NANO) {
            return value;
        }
        boolean isBelow = (long) value.precision() - value.scale() < -NANO;
        return isBelow ? BigDecimal.valueOf(value.signum(), NANO) : value.setScale(NANO, RoundingMode.UP);
    }

    /** The rule of {@code ParseQuantity} for what need not be written anew. */
    private static boolean isKept(String digits, String suffix, boolean isBinary) {
        String unsigned = digits.replaceFirst("^[-+]", "").replaceFirst("^0+(?=.)", "");
        int point = unsigned.indexOf('.');
        String whole = point < 0 ? unsigned : unsigned.substring(0, point);
        String fraction = point < 0 ? "" : unsigned.substring(point + 1);
        String shifted = (whole.isEmpty() ? "0" : whole) + fraction;
        if (isBinary) {
            int bits = 10 * BINARY_UNITS.indexOf(suffix);
            boolean isShort = fraction.isEmpty() && 15 - shifted.length() - bits * 3 / 10 - 1 >= 0;
            return isShort && (Long.parseLong(shifted) & 7) != 0;
        }
        if (shifted.length() > LONG_DIGITS) {
            return false;
        }
        int exponent = hasExponent(suffix)
                ? Integer.parseInt(suffix.substring(1).replace("+", ""))
                : 3 * (UNITS.indexOf(suffix) - NANO / 3);
        int scale = exponent - fraction.length();
        return scale >= -NANO && scale % 3 == 0 && !shifted.endsWith("000") && shifted.charAt(0) != '0';
    }

    private static boolean hasExponent(String suffix) {
        return suffix.length() > 1 && Character.toLowerCase(suffix.charAt(0)) == 'e';
    }

    /** The sum of two quantities, in the format of the first that is not zero ({@code Quantity.Add}); what is none counts as zero. */
    public static String sum(String first, String second) {
        BigDecimal one = value(first).orElse(BigDecimal.ZERO);
        BigDecimal other = value(second).orElse(BigDecimal.ZERO);
        if (one.signum() == 0 || other.signum() == 0) {
            return one.signum() == 0 ? second : first;
        }
        Matcher matcher = matcher(first);
        String suffix = matcher.matches() ? matcher.group(2) : "";
        return written(one.add(other), suffix);
    }

    /** Whether a quantity is above another; what is none counts as zero. */
    public static boolean isAbove(String text, String other) {
        return value(text).orElse(BigDecimal.ZERO).compareTo(value(other).orElse(BigDecimal.ZERO)) > 0;
    }

    private static String written(BigDecimal value, String suffix) {
        return suffix.endsWith("i")
                ? binary(value.min(MAX))
                : hasExponent(suffix) ? exponential(value) : decimal(value);
    }

    /** A value in decimal. */
    public static String decimal(BigDecimal value) {
        int thousands = Math.min(thousands(value), UNITS.size() - 1 - NANO / 3);
        return mantissa(value, thousands) + UNITS.get(thousands + NANO / 3);
    }

    private static String exponential(BigDecimal value) {
        int thousands = thousands(value);
        return mantissa(value, thousands) + (thousands == 0 ? "" : "e" + 3 * thousands);
    }

    /** In decimal what is smaller than the first binary unit, or no integer. */
    private static String binary(BigDecimal value) {
        BigDecimal plain = value.stripTrailingZeros();
        if (plain.scale() > 0 || plain.abs().compareTo(BigDecimal.valueOf(1024)) < 0) {
            return decimal(value);
        }
        BigInteger rest = plain.toBigIntegerExact();
        int unit = 0;
        while (unit < BINARY_UNITS.size() - 1 && rest.mod(KIBI).signum() == 0) {
            rest = rest.divide(KIBI);
            unit++;
        }
        return rest + BINARY_UNITS.get(unit);
    }

    private static int thousands(BigDecimal value) {
        return value.signum() == 0
                ? 0
                : Math.floorDiv(-value.stripTrailingZeros().scale(), 3);
    }

    private static String mantissa(BigDecimal value, int thousands) {
        return value.stripTrailingZeros().scaleByPowerOfTen(-3 * thousands).toPlainString();
    }

    private static Matcher matcher(String text) {
        return TEXT.matcher(text.length() > CHARS_MAX ? "" : text);
    }

    private static BigDecimal value(String digits, String suffix) {
        BigDecimal value = exact(digits, suffix);
        boolean isFar = Math.abs((long) value.precision() - value.scale()) > DIGITS_FAR;
        if (isFar) {
            return value.precision() > value.scale() ? MAX.multiply(BigDecimal.valueOf(value.signum())) : toNano(value);
        }
        if (value.abs().compareTo(MAX) > 0) {
            value = value.signum() < 0 ? MAX.negate() : MAX;
        }
        return value.setScale(NANO, RoundingMode.UP);
    }

    private static BigDecimal exact(String digits, String suffix) {
        BigDecimal number = new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
        BigDecimal factor = FACTORS.get(suffix);
        if (factor == null) {
            long exponent = Long.parseLong(suffix.substring(1).replace("+", ""));
            factor = BigDecimal.ONE.scaleByPowerOfTen((int) exponent);
        }
        return number.multiply(factor);
    }
}
