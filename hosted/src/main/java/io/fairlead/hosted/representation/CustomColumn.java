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

    private final String type;
    private final JsonPath path;
    private final int visitsMax;

    private CustomColumn(String type, JsonPath path, int visitsMax) {
        this.type = type;
        this.path = path;
        this.visitsMax = visitsMax;
    }

    /** The columns of a definition. One is null in every row if its path is invalid, and in those where it leads too far. */
    static List<Column> of(List<PrinterColumn> declared) {
        int visitsMax = Math.max(VISITS_MIN, VISITS_OF_ROW / Math.max(1, declared.size()));
        return declared.stream().map(each -> of(each, visitsMax)).toList();
    }

    private static Column of(PrinterColumn declared, int visitsMax) {
        String description = declared.description().isEmpty()
                ? "Custom resource definition column (in JSONPath format): " + declared.jsonPath()
                : declared.description();
        CustomColumn column = compiled(declared, visitsMax);
        return new Column(
                declared.name(),
                declared.type(),
                declared.format(),
                description,
                declared.priority(),
                column == null ? (object, now) -> Json.nodes().nullNode() : column::cell);
    }

    private static @Nullable CustomColumn compiled(PrinterColumn declared, int visitsMax) {
        try {
            return new CustomColumn(declared.type(), JsonPath.parse(declared.jsonPath()), visitsMax);
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
            case "string" -> Column.text(printed(value));
            case "integer" -> value.isNumber() ? Json.nodes().numberNode(integer(value)) : null;
            case "number" -> value.isNumber() ? Json.nodes().numberNode(value.doubleValue()) : null;
            case "boolean" -> value.isBoolean() ? value : null;
            case "date" -> value.isString() ? Column.text(Column.sinceText(value.asString(), now)) : null;
            default -> null;
        };
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
