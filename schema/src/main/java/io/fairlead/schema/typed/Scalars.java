package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Quantities;
import io.fairlead.schema.typed.GoType.Shape;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Single values as Go reads and writes them. */
final class Scalars {
    /** Up to here every integer is a double. */
    private static final long EXACT_INTEGER_MAX = 1L << 53;

    private static final Pattern QUANTITY = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");
    private static final Pattern NUMBER_AND_SUFFIX =
            Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)[eEinumkKMGTP]*[-+]?[0-9]*");

    private static final String NO_QUANTITY = "quantities must match the regular expression '" + QUANTITY + "'";

    /** What is a double from here on is the least integer for Go (on amd64). */
    private static final double LONG_END = 0x1p63;

    private Scalars() {}

    /** A value of a shape that it fits. */
    static JsonNode read(Shape shape, JsonNode value) throws Undecodable {
        return switch (shape) {
            case TIME -> time(value.stringValue(), false);
            case MICRO_TIME -> time(value.stringValue(), true);
            case BYTES -> bytes(value);
            case QUANTITY -> quantity(value);
            case NUMBER -> float64(value);
            case STRING, INT32, INT64, BOOLEAN, INT_OR_STRING, ANY -> value;
        };
    }

    /** A number as Go converts it to an integer: a whole number of any type, of which an {@code int32} keeps the last 32 bits. */
    static JsonNode converted(Shape shape, JsonNode value) {
        boolean isWhole = value.isNumber() && isWhole(value.doubleValue());
        if (!isWhole || (shape != Shape.INT32 && shape != Shape.INT64)) {
            return value;
        }
        long integer =
                value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : integer(value.doubleValue());
        return shape == Shape.INT32
                ? Json.nodes().numberNode((int) integer)
                : Json.nodes().numberNode(integer);
    }

    private static boolean isWhole(double number) {
        return number == Math.rint(number);
    }

    private static long integer(double number) {
        return number >= LONG_END ? Long.MIN_VALUE : (long) number;
    }

    /** An integer beyond 53 bits is the nearest double from here on, as in a field of Go's that is one. */
    private static JsonNode float64(JsonNode value) {
        if (!value.isIntegralNumber()) {
            return value;
        }
        long integer = value.longValue();
        boolean isExact = integer >= -EXACT_INTEGER_MAX && integer <= EXACT_INTEGER_MAX;
        return isExact ? value : Json.nodes().numberNode((double) integer);
    }

    /** As {@code metav1.Time} and {@code metav1.MicroTime} are read and written: their zero time is null. */
    private static JsonNode time(String text, boolean micros) throws Undecodable {
        try {
            return Times.node(GoTime.parse(text, micros), micros);
        } catch (DateTimeException e) {
            throw new Undecodable(String.valueOf(e.getMessage()));
        }
    }

    /** As Go reads and writes bytes ({@code encoding/base64}): lines may be broken, and padding must be there. */
    private static JsonNode bytes(JsonNode base64) throws Undecodable {
        String text = base64.stringValue();
        String joined = text.replace("\n", "").replace("\r", "");
        try {
            if (joined.length() % 4 == 0) {
                String canonical =
                        Base64.getEncoder().encodeToString(Base64.getDecoder().decode(joined));
                return canonical.equals(text) ? base64 : Json.nodes().stringNode(canonical);
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw new Undecodable("illegal base64 data at input byte " + firstIllegal(text, joined.length()));
    }

    /**
     * The position where Go's decoder would stop: at the first character outside of the alphabet, or in the last, short
     * group.
     *
     * @param joined how many characters there are without the ends of lines
     */
    private static int firstIllegal(String text, int joined) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letter && c != '+' && c != '/' && c != '\n' && c != '\r') {
                return i;
            }
        }
        return text.length() - joined % 4;
    }

    static Undecodable noQuantity() {
        return new Undecodable(NO_QUANTITY);
    }

    private static JsonNode quantity(JsonNode value) throws Undecodable {
        String text = value.isString() ? value.stringValue().strip() : Json.text(value);
        if (text.length() > Quantities.CHARS_MAX) {
            throw new Undecodable("quantities must have at most " + Quantities.CHARS_MAX + " characters");
        }
        String canonical = Quantities.canonical(text)
                .orElseThrow(() -> new Undecodable(
                        NUMBER_AND_SUFFIX.matcher(text).matches() ? "unable to parse quantity's suffix" : NO_QUANTITY));
        return Json.nodes().stringNode(canonical);
    }
}
