package io.fairlead.schema.json;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;

/** Numbers between text and node, as Go's {@code encoding/json} and {@code sigs.k8s.io/json} treat them. */
public final class Numbers {
    private static final double EXPONENT_BELOW = 1e-6;
    private static final double EXPONENT_FROM = 1e21;

    private Numbers() {}

    /** An int64 if the text has neither point nor exponent and fits, else a double; null if it fits neither. */
    static @Nullable JsonNode parse(String json) {
        if (isInteger(json)) {
            try {
                return LongNode.valueOf(Long.parseLong(json));
            } catch (NumberFormatException beyondInt64) {
                return finite(Double.parseDouble(json));
            }
        }
        return finite(Double.parseDouble(json));
    }

    /** The decimal that is written for a finite double: of the shortest that are read as it again, the nearest. */
    public static BigDecimal shortest(double value) {
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (digits.precision() == 2) {
            // Java writes two digits where one would do, which differ for the very smallest (4.9e-324 instead of
            // 5e-324).
            BigDecimal single = digits.round(new MathContext(1));
            return single.doubleValue() == value ? single : digits;
        }
        return digits;
    }

    /** Whether a decimal is what is written for the double that it is read as. */
    public static boolean isShortest(BigDecimal number) {
        double value = number.doubleValue();
        return Double.isFinite(value) && shortest(value).compareTo(number) == 0;
    }

    /** Whether it is an integer of 64 bits; does not expand a huge exponent. */
    public static boolean isInt64(BigDecimal number) {
        return (long) number.precision() - number.scale() <= 20
                && number.stripTrailingZeros().scale() <= 0
                && number.toBigInteger().bitLength() < Long.SIZE;
    }

    /** The text of a double: shortest digits, an exponent below 1e-6 and from 1e21 on. */
    static String print(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return text(shortest(value));
    }

    /** The text of a decimal: an exponent below 1e-6 and from 1e21 on. */
    public static String text(BigDecimal number) {
        BigDecimal digits = number.stripTrailingZeros();
        double magnitude = Math.abs(digits.doubleValue());
        boolean isPlain = digits.signum() == 0 || (magnitude >= EXPONENT_BELOW && magnitude < EXPONENT_FROM);
        return isPlain ? digits.toPlainString() : scientific(digits);
    }

    private static String scientific(BigDecimal digits) {
        String unscaled = digits.unscaledValue().abs().toString();
        int exponent = unscaled.length() - 1 - digits.scale();
        return (digits.signum() < 0 ? "-" : "")
                + unscaled.charAt(0)
                + (unscaled.length() == 1 ? "" : "." + unscaled.substring(1))
                + (exponent < 0 ? "e" : "e+")
                + exponent;
    }

    private static boolean isInteger(String json) {
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return false;
            }
        }
        return true;
    }

    private static @Nullable JsonNode finite(double value) {
        return Double.isInfinite(value) ? null : DoubleNode.valueOf(value);
    }
}
