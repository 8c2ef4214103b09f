package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.TypeValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.field.GoText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** {@code string.format(list)} (cel-go {@code ext/formatting.go}). */
final class TextFormat {
    private static final int PRECISION = 6;
    private static final int PRECISION_MAX = 1000;
    /** Java takes up to some hundred microseconds for the digits of a number. */
    private static final int STEPS_OF_NUMBER = 500;

    private final ListValue arguments;
    private final Work work;
    private final StringBuilder made = new StringBuilder();
    private int next;

    private TextFormat(ListValue arguments, Work work) {
        this.arguments = arguments;
        this.work = work;
    }

    static Object format(String format, ListValue arguments, Work work) {
        try {
            return new TextFormat(arguments, work).format(format);
        } catch (FormatException e) {
            return new CelError(String.valueOf(e.getMessage()));
        }
    }

    /** A clause and its argument do not fit. */
    private static final class FormatException extends Exception {
        private static final long serialVersionUID = 1L;

        FormatException(String message) {
            super(message, null, false, false);
        }
    }

    private String format(String format) throws FormatException {
        int at = 0;
        while (at < format.length()) {
            int percent = format.indexOf('%', at);
            int end = percent < 0 ? format.length() : percent;
            append(format.substring(at, end));
            at = percent < 0 ? end : clause(format, percent + 1);
        }
        return made.toString();
    }

    private int clause(String format, int from) throws FormatException {
        if (from >= format.length()) {
            throw new FormatException("unexpected end of string");
        }
        if (format.charAt(from) == '%') {
            append("%");
            return from + 1;
        }
        int at = from;
        int precision = PRECISION;
        if (format.charAt(at) == '.') {
            at++;
            int digits = at;
            while (at < format.length() && Character.isDigit(format.charAt(at))) {
                at++;
            }
            if (at == digits || at - digits > 4 || at == format.length()) {
                throw new FormatException("could not parse precision in format string");
            }
            precision = Math.min(PRECISION_MAX, Integer.parseInt(format.substring(digits, at)));
        }
        if (next >= arguments.size()) {
            throw new FormatException("index " + next + " out of range");
        }
        append(formatted(format.charAt(at), precision, arguments.get(next++)));
        return at + 1;
    }

    private void append(String text) {
        work.makeText(text.length());
        made.append(text);
    }

    private String formatted(char clause, int precision, Object value) throws FormatException {
        return switch (clause) {
            case 's' -> text(value);
            case 'd' -> decimal(value);
            case 'f' -> fixed("%,." + precision + "f", value, "fixed-point");
            case 'e' -> fixed("%." + precision + "e", value, "scientific notation");
            case 'b' -> value instanceof Boolean bool ? (bool ? "1" : "0") : radix(2, value, "binary");
            case 'o' -> radix(8, value, "octal");
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default -> throw new FormatException("unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private String text(Object value) throws FormatException {
        return switch (value) {
            case ListValue list -> list(list);
            case MapValue map -> map(map);
            case Null _ -> "null";
            case Optional<?> _ -> throw unsuitable("string", value);
            default -> {
                Object text = Functions.named("string").orElseThrow().call(new Object[] {value}, work);
                if (!(text instanceof String converted)) {
                    throw unsuitable("string", value);
                }
                yield converted;
            }
        };
    }

    private static String decimal(Object value) throws FormatException {
        if (value instanceof Long || value instanceof Uint) {
            return value.toString();
        }
        throw unsuitable("decimal", value);
    }

    private String fixed(String format, Object value, String what) throws FormatException {
        double number = switch (value) {
            case Double plain -> plain;
            case String text when text.equals("NaN") -> Double.NaN;
            case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
            case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
            default -> throw unsuitable(what, value);
        };
        if (Double.isNaN(number)) {
            return "NaN";
        }
        work.spend(STEPS_OF_NUMBER);
        return Double.isInfinite(number) ? (number > 0 ? "∞" : "-∞") : String.format(Locale.ROOT, format, number);
    }

    private static String radix(int radix, Object value, String what) throws FormatException {
        return switch (value) {
            case Long number -> Long.toString(number, radix);
            case Uint number -> Long.toUnsignedString(number.bits(), radix);
            default -> throw unsuitable(what, value);
        };
    }

    private String hex(Object value) throws FormatException {
        return switch (value) {
            case String text -> hex(new Bytes(text.getBytes(StandardCharsets.UTF_8)));
            case Bytes bytes -> {
                work.makeText(2L * bytes.size());
                yield HexFormat.of().formatHex(bytes.content());
            }
            default -> radix(16, value, "hex");
        };
    }

    private String list(ListValue list) throws FormatException {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < list.size(); i++) {
            String element = quoted(list.get(i));
            work.makeText(element.length() + 2L);
            text.append(i == 0 ? "" : ", ").append(element);
        }
        return text.append(']').toString();
    }

    private String map(MapValue map) throws FormatException {
        Map<String, String> entries = new TreeMap<>();
        for (Object key : map.keys()) {
            Object value = map.find(key);
            if (value != null) {
                String shown = key instanceof String ? quoted(key) : text(key);
                String element = quoted(value);
                work.makeText(shown.length() + element.length() + 3L);
                entries.put(shown, element);
            }
        }
        StringBuilder text = new StringBuilder("{");
        entries.forEach((key, value) -> text.append(text.length() == 1 ? "" : ", ")
                .append(key)
                .append(':')
                .append(value));
        return text.append('}').toString();
    }

    /** A value inside another. */
    private String quoted(Object value) throws FormatException {
        return switch (value) {
            case String text -> GoText.quote(text);
            case Bytes bytes -> "b" + GoText.quote(new String(bytes.content(), StandardCharsets.UTF_8));
            case Double number -> fixed("%." + PRECISION + "f", number, "fixed-point");
            case Instant instant -> "timestamp(" + GoText.quote(TimeFunctions.text(instant)) + ")";
            case Duration duration -> "duration(" + GoText.quote(Conversions.seconds(duration)) + ")";
            case TypeValue type -> type.name();
            default -> text(value);
        };
    }

    private static FormatException unsuitable(String clause, Object value) {
        String expected = switch (clause) {
            case "string" ->
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types,"
                        + " durations, and timestamps";
            case "decimal" -> "decimal clause can only be used on integers";
            case "fixed-point" -> "fixed-point clause can only be used on doubles";
            case "scientific notation" -> "scientific clause can only be used on doubles";
            case "binary" -> "binary clause can only be used on integers and bools";
            case "octal" -> "octal clause can only be used on integers";
            default -> "only integers, byte buffers, and strings can be formatted as hex";
        };
        return new FormatException("error during formatting: " + expected + ", was given " + Values.typeName(value));
    }
}
