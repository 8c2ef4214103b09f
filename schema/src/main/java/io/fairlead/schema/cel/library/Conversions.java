package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.TypeValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.field.GoText;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Conversions of values into other types. */
final class Conversions {
    private static final List<String> TRUE = List.of("1", "t", "T", "TRUE", "true", "True");
    private static final List<String> FALSE = List.of("0", "f", "F", "FALSE", "false", "False");
    private static final CelError OVERFLOW = CelError.overflow("integer");
    private static final CelError UINT_OVERFLOW = CelError.overflow("unsigned integer");
    private static final int NUMBER_CHARS_MAX = 400;

    private Conversions() {}

    static void addTo(Registry registry) {
        registry.unary("int", Object.class, Conversions::toInt)
                .unary("uint", Object.class, Conversions::toUint)
                .unary("double", Object.class, Conversions::toDouble)
                .unary("string", Object.class, Conversions::toText)
                .unary("bytes", Object.class, Conversions::toBytes)
                .unary("bool", Object.class, Conversions::toBool)
                .unary("dyn", Object.class, (value, _) -> value)
                .unary("type", Object.class, (value, _) -> new TypeValue(Values.typeName(value)));
    }

    private static Object toInt(Object value, Work work) {
        return switch (value) {
            case Long number -> number;
            case Uint number -> number.bits() < 0 ? OVERFLOW : (Object) number.bits();
            case Double number -> Math.abs(number) < 0x1p63 ? (Object) number.longValue() : OVERFLOW;
            case Instant instant -> instant.getEpochSecond();
            case Duration duration -> duration.toNanos();
            case String text -> parsed(text, "int", work);
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object parsed(String text, String type, Work work) {
        work.read(text.length());
        try {
            return switch (type) {
                case "int" -> text.matches("[-+]?[0-9]{1,40}") ? (Object) Long.parseLong(text) : failed("string", type);
                case "uint" ->
                    text.matches("[0-9]{1,40}") ? new Uint(Long.parseUnsignedLong(text)) : failed("string", type);
                default -> parsedDouble(text);
            };
        } catch (NumberFormatException e) {
            return failed("string", type);
        }
    }

    private static Object parsedDouble(String text) {
        if (text.length() > NUMBER_CHARS_MAX) {
            return failed("string", "double");
        }
        String plain = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (plain.equalsIgnoreCase("inf") || plain.equalsIgnoreCase("infinity")) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (plain.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        boolean number = plain.matches("([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?");
        double value = number ? Double.parseDouble(text) : Double.POSITIVE_INFINITY;
        return Double.isInfinite(value) ? failed("string", "double") : (Object) value;
    }

    private static Object toUint(Object value, Work work) {
        return switch (value) {
            case Uint number -> number;
            case Long number -> number < 0 ? UINT_OVERFLOW : new Uint(number);
            case Double number -> number >= 0 && number < 0x1p64 ? unsigned(number) : UINT_OVERFLOW;
            case String text -> parsed(text, "uint", work);
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Uint unsigned(double number) {
        return new Uint(number < 0x1p63 ? (long) number : (long) (number - 0x1p63) | Long.MIN_VALUE);
    }

    private static Object toDouble(Object value, Work work) {
        return switch (value) {
            case Double number -> number;
            case Long number -> number.doubleValue();
            case Uint number -> number.toDouble();
            case String text -> parsed(text, "double", work);
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object toBool(Object value, Work work) {
        return switch (value) {
            case Boolean bool -> bool;
            case String text ->
                TRUE.contains(text) ? (Object) true : FALSE.contains(text) ? false : failed("string", "bool");
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object toBytes(Object value, Work work) {
        return switch (value) {
            case Bytes bytes -> bytes;
            case String text -> {
                work.makeText(4L * text.length());
                yield Bytes.of(text);
            }
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object toText(Object value, Work work) {
        if (value instanceof Bytes bytes) {
            work.makeText(bytes.size());
            return decoded(bytes);
        }
        return switch (value) {
            case String text -> text;
            case Boolean bool -> bool.toString();
            case Long number -> number.toString();
            case Uint number -> number.toString();
            case Double number -> number(number);
            case Duration duration -> seconds(duration);
            case Instant instant -> TimeFunctions.text(instant);
            case TypeValue type -> type.name();
            default -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private static Object decoded(Bytes bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.content()))
                    .toString();
        } catch (CharacterCodingException e) {
            return new CelError("invalid UTF-8 in bytes, cannot convert to string");
        }
    }

    /** A double as Go's {@code %g} (cel-go {@code types/double.go}). */
    static String number(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        return GoText.general(number);
    }

    /** A duration in seconds ({@code 1.5s}). */
    static String seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros();
        return (seconds.signum() == 0 ? "0" : seconds.toPlainString()) + "s";
    }

    private static CelError failed(String from, String to) {
        return new CelError("type conversion error from '" + from + "' to '" + to + "'");
    }
}
