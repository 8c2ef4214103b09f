package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;
import io.fairlead.schema.text.Quantities;
import java.math.BigDecimal;
import java.util.Optional;

/** A quantity (apimachinery {@code resource.Quantity}): what is smaller than a billionth is rounded away from zero. */
record Quantity(BigDecimal value) implements Opaque {
    static final int CHARS_MAX = Quantities.CHARS_MAX;

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    static Optional<Quantity> parse(String text) {
        return Quantities.value(text).map(Quantity::new);
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
        return Quantities.decimal(value);
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
