package io.fairlead.hosted.representation;

import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
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
        return declared.stream().map(each -> of(each, declared.size())).toList();
    }

    private static Column of(PrinterColumn declared, int columns) {
        String description = declared.description().isEmpty()
                ? "Custom resource definition column (in JSONPath format): " + declared.jsonPath()
                : declared.description();
        CustomColumn column = compiled(declared, columns);
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
            case "string" -> text(printed(value));
            case "integer" -> value.isNumber() ? Json.nodes().numberNode(integer(value)) : null;
            case "number" -> value.isNumber() ? Json.nodes().numberNode(value.doubleValue()) : null;
            case "boolean" -> value.isBoolean() ? value : null;
            case "date" -> value.isString() ? Column.text(Column.sinceText(value.asString(), now)) : null;
            default -> null;
        };
    }

    private @Nullable JsonNode text(String printed) {
        return printed.length() > charsMax ? null : Column.text(printed);
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
