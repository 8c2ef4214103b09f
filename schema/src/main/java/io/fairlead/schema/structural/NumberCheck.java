package io.fairlead.schema.structural;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * kube-openapi compares an integer with a bound in int64 and everything else in float64, and first asks whether the
 * bound itself could be a value of the schema's type and format; a bound that could not is a finding of its own.
 */
/** The keywords of numbers. */
final class NumberCheck {
    private final String type;
    private final String format;
    private final JsonNode value;
    private final String path;
    private final Findings findings = new Findings();

    private NumberCheck(TypeCheck type, JsonNode value, String path) {
        this.type = type.types().size() == 1 ? type.types().getFirst() : "";
        this.format = type.format();
        this.value = value;
        this.path = path;
    }

    static Findings check(JsonSchema schema, TypeCheck type, JsonNode value, String path) {
        NumberCheck check = new NumberCheck(type, value, path);
        check.findings.add(check.outOfRange(value, "Checked"));
        Findings multiple = check.findings;
        if (schema.number("multipleOf") != null) {
            check.multipleOf(schema.number("multipleOf").doubleValue());
        }
        if (schema.number("minimum") != null) {
            check.minimum(schema.number("minimum").doubleValue(), schema.is("exclusiveMinimum"));
        }
        if (schema.number("maximum") != null) {
            check.maximum(schema.number("maximum").doubleValue(), schema.is("exclusiveMaximum"));
        }
        multiple.matched();
        return multiple;
    }

    private void multipleOf(double factor) {
        boolean exact = fits(factor, "MultipleOf") && value.isIntegralNumber();
        JsonNode shown =
                exact ? Json.nodes().numberNode((long) factor) : Json.nodes().numberNode(factor);
        if (shown.doubleValue() <= 0) {
            String message = "factor MultipleOf declared for " + path + " must be positive: " + GoText.number(shown);
            findings.add(new Finding.Invalid(path, shown, message));
        } else if (exact ? value.longValue() % (long) factor != 0 : !isMultiple(value.doubleValue(), factor)) {
            findings.add(invalid("should be a multiple of " + GoText.number(shown)));
        }
    }

    private static boolean isMultiple(double value, double factor) {
        return TypeCheck.isInteger(factor < 1 ? 1 / factor * value : value / factor);
    }

    private void minimum(double min, boolean exclusive) {
        boolean exact = fits(min, "Minimum boundary") && value.isIntegralNumber();
        int order = exact ? Long.compare(value.longValue(), (long) min) : Double.compare(value.doubleValue(), min);
        if (order < 0 || (exclusive && order == 0)) {
            findings.add(invalid("should be greater than " + (exclusive ? "" : "or equal to ") + bound(min, exact)));
        }
    }

    private void maximum(double max, boolean exclusive) {
        boolean exact = fits(max, "Maximum boundary") && value.isIntegralNumber();
        int order = exact ? Long.compare(value.longValue(), (long) max) : Double.compare(value.doubleValue(), max);
        if (order > 0 || (exclusive && order == 0)) {
            findings.add(invalid("should be less than " + (exclusive ? "" : "or equal to ") + bound(max, exact)));
        }
    }

    private Finding invalid(String problem) {
        return new Finding.Invalid(path, value, path + " in body " + problem);
    }

    private static String bound(double bound, boolean exact) {
        return exact ? Long.toString((long) bound) : GoText.general(bound);
    }

    private boolean fits(double bound, String what) {
        Finding finding = outOfRange(Json.nodes().numberNode(bound), what);
        findings.add(finding);
        return finding == null;
    }

    /** Whether a number could be a value of the type and format at all. */
    private @Nullable Finding outOfRange(JsonNode number, String what) {
        boolean fits = switch (type) {
            case "integer" -> isLong(number) && (!format.equals("int32") || isInt(number));
            default -> !format.equals("float") || Math.abs(number.doubleValue()) <= Float.MAX_VALUE;
        };
        if (fits) {
            return null;
        }
        String named = format.isEmpty() ? " (default format)" : " with format " + format;
        return new Finding.Unplaced(what + " value must be of type " + type + named + " in " + path);
    }

    private static boolean isLong(JsonNode number) {
        if (number.isIntegralNumber()) {
            return true;
        }
        BigDecimal decimal = new BigDecimal(number.doubleValue());
        return decimal.stripTrailingZeros().scale() <= 0
                && decimal.toBigInteger().bitLength() < Long.SIZE;
    }

    private static boolean isInt(JsonNode number) {
        long value = toLong(number);
        return value == (int) value;
    }

    /** The number as an int64, a fraction cut off. */
    static long toLong(JsonNode number) {
        return number.isIntegralNumber() ? number.longValue() : (long) number.doubleValue();
    }
}
