package io.fairlead.schema.field;

import io.fairlead.schema.json.Json;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Values in messages as Go prints them, so that ours read like upstream's. */
public final class GoText {
    private GoText() {}

    /** A {@code GroupVersionKind}. */
    public static String groupVersionKind(String apiVersion, String kind) {
        return (apiVersion.contains("/") ? "" : "/") + apiVersion + ", Kind=" + kind;
    }

    /** A string in quotes ({@code %q}): what cannot be printed is escaped. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> appendQuoted(quoted, c));
        return quoted.append('"').toString();
    }

    /** A value as field errors show it: a string quoted, a container as JSON. */
    public static String value(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> quote(value.stringValue());
            case NUMBER -> number(value);
            case BOOLEAN -> String.valueOf(value.booleanValue());
            case NULL, MISSING -> "null";
            case POJO -> value.asString("");
            case OBJECT, ARRAY, BINARY -> json(value);
        };
    }

    /**
     * A value as field errors show a struct without names for JSON: its fields in their order, the absent ones as null.
     *
     * @param object the struct as JSON, whose members have the names of the fields but for the case of their letters
     */
    public static JsonNode struct(JsonNode object, String... fields) {
        Map<String, JsonNode> members = object.propertyStream()
                .collect(Collectors.toMap(
                        member -> member.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue, (a, b) -> a));
        return Json.nodes()
                .pojoNode(Stream.of(fields)
                        .map(field -> quote(field) + ":"
                                + json(members.getOrDefault(
                                        field.toLowerCase(Locale.ROOT),
                                        Json.nodes().nullNode())))
                        .collect(Collectors.joining(",", "{", "}")));
    }

    /** A value as field errors show a struct with names for JSON: the members that it has, in the order of its fields. */
    public static JsonNode ordered(JsonNode object, String... members) {
        return Json.nodes()
                .pojoNode(Stream.of(members)
                        .filter(object::has)
                        .map(member -> quote(member) + ":" + json(object.path(member)))
                        .collect(Collectors.joining(",", "{", "}")));
    }

    /** A number as {@code %v}. */
    public static String number(JsonNode number) {
        return number.isIntegralNumber() ? Long.toString(number.longValue()) : general(number.doubleValue());
    }

    /** A finite double as {@code %g} and {@code %v}: the shortest digits, an exponent of two digits below 1e-4 and from 1e6 on. */
    public static String general(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = digits.precision() - 1 - digits.scale();
        return exponent < -4 || exponent >= 6 ? scientific(digits) : digits.toPlainString();
    }

    private static String scientific(BigDecimal digits) {
        String unscaled = digits.unscaledValue().abs().toString();
        int exponent = unscaled.length() - 1 - digits.scale();
        String mantissa = unscaled.charAt(0) + (unscaled.length() == 1 ? "" : "." + unscaled.substring(1));
        String sign = Math.abs(exponent) < 10 ? "0" : "";
        return (digits.signum() < 0 ? "-" : "") + mantissa + (exponent < 0 ? "e-" : "e+") + sign + Math.abs(exponent);
    }

    /** A value as {@code %v} prints it: {@code map[a:1 b:[x y]]}, keys in order. */
    public static String plain(JsonNode value) {
        return switch (value) {
            case ObjectNode object ->
                object.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(member -> member.getKey() + ":" + plain(member.getValue()))
                        .collect(Collectors.joining(" ", "map[", "]"));
            case ArrayNode array -> array.valueStream().map(GoText::plain).collect(Collectors.joining(" ", "[", "]"));
            default -> value.isString() ? value.stringValue() : value.isNull() ? "<nil>" : value(value);
        };
    }

    /** A value as {@code %#v} prints it: {@code map[string]interface {}{"a":1}}, keys in order. */
    public static String syntax(JsonNode value) {
        return switch (value) {
            case ObjectNode object ->
                object.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(member -> quote(member.getKey()) + ":" + syntax(member.getValue()))
                        .collect(Collectors.joining(", ", kind(value) + "{", "}"));
            case ArrayNode array ->
                array.valueStream().map(GoText::syntax).collect(Collectors.joining(", ", kind(value) + "{", "}"));
            default -> value.isNull() ? "interface {}(nil)" : value(value);
        };
    }

    /** The kind of Go value that holds a value of JSON ({@code []interface {}}). */
    public static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "map[string]interface {}";
            case ARRAY -> "[]interface {}";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case NULL, MISSING, BINARY, POJO -> "nil";
        };
    }

    /** JSON as {@code encoding/json} writes maps: keys in order, {@code <}, {@code >} and {@code &} escaped. */
    public static String json(JsonNode value) {
        return jsonAsIs(Json.sorted(value));
    }

    /** The same, with the members in the order in which they stand. */
    public static String jsonAsIs(JsonNode value) {
        return Json.text(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private static void appendQuoted(StringBuilder quoted, int c) {
        switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case 0x07 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 0x0b -> quoted.append("\\v");
            default -> {
                if (isPrintable(c)) {
                    quoted.appendCodePoint(c);
                } else {
                    quoted.append(
                            c < 0x80
                                    ? "\\x%02x".formatted(c)
                                    : c < 0x10000 ? "\\u%04x".formatted(c) : "\\U%08x".formatted(c));
                }
            }
        }
    }

    /** Letters, marks, numbers, punctuation, symbols and the ASCII space, as Go's {@code unicode.IsPrint}. */
    public static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
