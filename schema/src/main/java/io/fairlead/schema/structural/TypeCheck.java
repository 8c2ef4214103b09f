package io.fairlead.schema.structural;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The type keyword, as kube-openapi's {@code typeValidator} reads it.
 *
 * @param types the types that are allowed; none if all are
 * @param format the format, empty if none or not enforced
 * @param nullable whether null is allowed
 */
record TypeCheck(List<String> types, String format, boolean nullable) {
    static TypeCheck of(JsonSchema schema) {
        List<String> types = schema.intOrString
                ? List.of("integer", "string")
                : schema.type.isEmpty() ? List.of() : List.of(schema.type);
        return new TypeCheck(types, enforced(schema.format, types), schema.nullable);
    }

    /** Formats that upstream does not enforce for the type are as if not given. */
    private static String enforced(String format, List<String> types) {
        String type = types.size() == 1 ? types.getFirst() : "";
        boolean enforced = switch (type) {
            case "", "string" -> Formats.isKnown(format);
            case "integer" -> format.equals("int32") || format.equals("int64");
            case "number" -> format.equals("float") || format.equals("double");
            default -> false;
        };
        return enforced ? format : "";
    }

    boolean applies() {
        return !types.isEmpty() || !format.isEmpty();
    }

    Findings check(JsonNode value, String path) {
        Findings findings = new Findings();
        Finding finding = value.isNull() ? checkNull(path) : checkValue(value, path);
        if (finding == null) {
            findings.matched();
        } else {
            findings.add(finding);
        }
        return findings;
    }

    private @Nullable Finding checkNull(String path) {
        return types.isEmpty() || nullable ? null : wrong(path, String.join(",", types), "null");
    }

    private @Nullable Finding checkValue(JsonNode value, String path) {
        String actual = typeOf(value);
        boolean fits = types.contains(actual)
                || (actual.equals("integer") && types.contains("number"))
                || (actual.equals("number") && types.contains("integer") && isInteger(value.doubleValue()));
        boolean textual = value.isString() || value.isArray();
        if (!textual && !format.isEmpty() && !fits) {
            return wrong(path, format, formatOf(value));
        }
        boolean numeric = types.contains("number") || types.contains("integer");
        if (fits || (textual && !format.isEmpty() && !numeric)) {
            return null;
        }
        return wrong(path, String.join(",", types), actual);
    }

    private static Finding wrong(String path, String expected, String actual) {
        String message = path + " in body must be of type " + expected + ": " + GoText.quote(actual);
        return new Finding.WrongType(path, Json.nodes().stringNode(actual), message);
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> "boolean";
            case STRING -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case ARRAY -> "array";
            default -> "object";
        };
    }

    private static String formatOf(JsonNode value) {
        return value.isNumber() ? (value.isIntegralNumber() ? "int64" : "float64") : "";
    }

    /** Whether a double is an integer, within the tolerance that go-openapi's swag allows. */
    static boolean isInteger(double value) {
        if (Double.isNaN(value) || Math.abs(value) > (1L << 53) - 1) {
            return false;
        }
        double nearest = Math.abs(value) < 1 ? Math.rint(value) : Math.floor(Math.abs(value)) * Math.signum(value);
        if (nearest == value) {
            return true;
        }
        double difference = Math.abs(value - nearest);
        return nearest != 0 && difference / (Math.abs(value) + Math.abs(nearest)) < 1e-9;
    }
}
