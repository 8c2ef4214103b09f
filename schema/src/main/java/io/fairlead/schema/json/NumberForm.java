package io.fairlead.schema.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DecimalNode;

/** What the numbers of a text become in its tree. */
enum NumberForm {
    /** int64 or double, as in an untyped object of Go's. */
    GO("a float64") {
        @Override
        @Nullable
        JsonNode ofJson(String number) {
            return Numbers.parse(number);
        }

        @Override
        JsonNode of(BigInteger integer) {
            return Json.nodes().numberNode(integer);
        }

        // As the JSON in between prints and reads it, so that 3.0 is the integer 3.
        @Override
        @Nullable
        JsonNode ofYamlDecimal(String digits) {
            double value = Double.parseDouble(digits);
            return Double.isInfinite(value) ? null : Numbers.parse(Numbers.print(value));
        }
    },

    /** The decimal as it is written, however many digits it has within {@link #DIGITS_MAX}. */
    EXACT("a decimal of at most 1000 characters and an exponent of 32 bits") {
        @Override
        @Nullable
        JsonNode ofJson(String number) {
            if (number.length() > DIGITS_MAX) {
                return null;
            }
            try {
                return DecimalNode.valueOf(new BigDecimal(number));
            } catch (NumberFormatException exponent) {
                return null;
            }
        }

        @Override
        JsonNode of(BigInteger integer) {
            return DecimalNode.valueOf(new BigDecimal(integer));
        }

        @Override
        @Nullable
        JsonNode ofYamlDecimal(String digits) {
            return ofJson(digits);
        }
    };

    private static final int DIGITS_MAX = 1000;

    private final String range;

    NumberForm(String range) {
        this.range = range;
    }

    /** What a number must fit, for people. */
    String range() {
        return range;
    }

    /** A number of JSON's grammar; null if it is out of range. */
    abstract @Nullable JsonNode ofJson(String number);

    abstract JsonNode of(BigInteger integer);

    /** A number with a point or an exponent, or beyond 64 bits, of YAML's grammar; null if it is out of range. */
    abstract @Nullable JsonNode ofYamlDecimal(String digits);
}
