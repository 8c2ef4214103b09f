package io.fairlead.schema.json;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;

/** Numbers between text and node, as Go's {@code encoding/json} and {@code sigs.k8s.io/json} treat them. */
final class Numbers {
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

    /** The text of a double: shortest digits, an exponent below 1e-6 and from 1e21 on. */
    static String print(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        double magnitude = Math.abs(value);
        return magnitude < EXPONENT_BELOW || magnitude >= EXPONENT_FROM ? scientific(digits) : digits.toPlainString();
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
