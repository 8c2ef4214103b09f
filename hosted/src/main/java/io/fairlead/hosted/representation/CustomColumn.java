package io.fairlead.hosted.representation;

import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A column that a CustomResourceDefinition declares (apiextensions {@code tableconvertor}): the first value at its path,
 * as a value of its type; null if there is none or it is of another type.
 */
final class CustomColumn {
    /** Values that the paths of a row may look at together: some milliseconds. */
    private static final int VISITS_OF_ROW = 200_000;

    private static final int VISITS_MIN = 20;

    /** Of all texts of a row: many columns may each print the same large value. */
    private static final int CHARS_OF_ROW = 4 * 1024 * 1024;

    /** Of the paths of a definition; the columns of further ones are null. A step takes many times what its text does. */
    private static final int PATH_CHARS_MAX = 16 * 1024;

    private final String type;
    private final JsonPath path;
    private final int visitsMax;
    private final int charsMax;

    private CustomColumn(String type, JsonPath path, int columns) {
        this.type = type;
        this.path = path;
        this.visitsMax = Math.max(VISITS_MIN, VISITS_OF_ROW / columns);
        this.charsMax = CHARS_OF_ROW / columns;
    }

    /** The columns of a definition. One is null in every row if its path is invalid, and in those where it leads too far or to too much. */
    static List<Column> of(List<PrinterColumn> declared) {
        List<Column> columns = new ArrayList<>();
        long chars = 0;
        for (PrinterColumn each : declared) {
            chars += each.jsonPath().length();
            columns.add(of(each, chars > PATH_CHARS_MAX ? null : compiled(each, declared.size())));
        }
        return columns;
    }

    private static Column of(PrinterColumn declared, @Nullable CustomColumn column) {
        String description = declared.description().isEmpty()
                ? "Custom resource definition column (in JSONPath format): " + declared.jsonPath()
                : declared.description();
        return new Column(
                declared.name(),
                declared.type(),
                declared.format(),
                description,
                declared.priority(),
                column == null ? (object, now) -> Json.nodes().nullNode() : column::cell);
    }

    private static @Nullable CustomColumn compiled(PrinterColumn declared, int columns) {
        try {
            return new CustomColumn(declared.type(), JsonPath.parse(declared.jsonPath()), columns);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private JsonNode cell(ObjectNode object, Instant now) {
        JsonNode value = path.first(object, visitsMax);
        JsonNode cell = value == null ? null : cell(value, now);
        return cell == null ? Json.nodes().nullNode() : cell;
    }

    private @Nullable JsonNode cell(JsonNode value, Instant now) {
        return switch (type) {
            case "string" -> text(value);
            case "integer" -> value.isNumber() ? Json.nodes().numberNode(integer(value)) : null;
            case "number" -> value.isNumber() ? Json.nodes().numberNode(value.doubleValue()) : null;
            case "boolean" -> value.isBoolean() ? value : null;
            case "date" -> value.isString() ? Column.text(Column.sinceText(value.asString(), now)) : null;
            default -> null;
        };
    }

    private @Nullable JsonNode text(JsonNode value) {
        if (left(charsMax, value) < 0) {
            return null;
        }
        String printed = printed(value);
        return printed.length() > charsMax ? null : Column.text(printed);
    }

    /** What is left of so many characters when a value is printed with the least that it takes; looks no further once that is too much. */
    private static long left(long chars, JsonNode value) {
        if (!value.isContainer()) {
            return chars - (value.isString() ? value.asString().length() : 1);
        }
        long left = chars - value.size();
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            left -= member.getKey().length();
            if (left < 0) {
                return left;
            }
            left = left(left, member.getValue());
        }
        if (value.isArray()) {
            for (JsonNode element : value) {
                if (left < 0) {
                    return left;
                }
                left = left(left, element);
            }
        }
        return left;
    }

    /** Truncates a fraction; a number beyond int64 becomes its smallest value, as in Go. */
    private static long integer(JsonNode number) {
        if (number.isIntegralNumber() && number.canConvertToLong()) {
            return number.longValue();
        }
        double value = number.doubleValue();
        return Math.abs(value) < 0x1p63 ? (long) value : Long.MIN_VALUE;
    }

    private static String printed(JsonNode value) {
        if (value.isNull()) {
            return "<no value>";
        }
        return value.isString() ? value.asString() : Json.text(value);
    }
}
