package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A quantity (apimachinery {@code resource.Quantity}): what is smaller than a billionth is rounded away from zero. */
record Quantity(BigDecimal value) implements Opaque {
    static final int CHARS_MAX = 1000;

    private static final Pattern TEXT =
            Pattern.compile("([-+]?(?:[0-9]+(?:\\.[0-9]*+)?|\\.[0-9]+))(|[numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,9})");
    private static final int NANO = 9;
    /** One for each factor of a thousand, from {@link #NANO} on. */
    private static final List<String> UNITS = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

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

    private static BigDecimal binary(int bits) {
        return BigDecimal.valueOf(1L << bits);
    }

    static Optional<Quantity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (text.length() > CHARS_MAX || !matcher.matches()) {
            return Optional.empty();
        }
        String digits = matcher.group(1);
        String suffix = matcher.group(2);
        BigDecimal number = new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
        BigDecimal factor = FACTORS.get(suffix);
        if (factor == null) {
            long exponent = Long.parseLong(suffix.substring(1).replace("+", ""));
            factor = BigDecimal.ONE.scaleByPowerOfTen(Math.clamp(exponent, -2000, 2000));
        }
        BigDecimal value = number.multiply(factor);
        if (value.abs().compareTo(MAX) > 0) {
            value = value.signum() < 0 ? MAX.negate() : MAX;
        }
        return Optional.of(new Quantity(value.setScale(NANO, RoundingMode.UP)));
    }

    static Quantity of(long value) {
        return new Quantity(BigDecimal.valueOf(value));
    }

    boolean isInteger() {
        BigDecimal plain = value.stripTrailingZeros();
        return plain.scale() <= 0 && plain.abs().compareTo(MAX) <= 0;
    }

    /** Its text in decimal with the largest unit that leaves no fraction ({@code CanonicalizeBytes} of {@code DecimalSI}). */
    String canonical() {
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal plain = value.stripTrailingZeros();
        int thousands = Math.floorDiv(-plain.scale(), 3);
        return plain.scaleByPowerOfTen(-3 * thousands).toPlainString() + UNITS.get(thousands + NANO / 3);
    }

    @Override
    public String typeName() {
        return "kubernetes.Quantity";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }
}
