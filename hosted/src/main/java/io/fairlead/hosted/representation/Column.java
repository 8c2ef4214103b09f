package io.fairlead.hosted.representation;

import io.fairlead.model.HumanDuration;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A column of a Table: its definition and how to compute an object's cell.
 *
 * @param name the header
 * @param type an OpenAPI type, or {@code date}
 * @param format an OpenAPI format, empty if none
 * @param description what it shows
 * @param priority 0 for the standard view, above for the wide one
 * @param cell computes the cell of an object at a moment
 */
record Column(
        String name,
        String type,
        String format,
        String description,
        int priority,
        BiFunction<ObjectNode, Instant, JsonNode> cell) {
    private static final String NAME_TEXT =
            "The name of the object, unique among the objects of its kind in its scope.";
    private static final String AGE_TEXT = "How long ago the object was created.";

    /** The first column of every Table. */
    static final Column NAME =
            new Column("Name", "string", "name", NAME_TEXT, 0, (object, now) -> text(metadata(object, "name")));

    /** The age in Tables of built-in kinds. */
    static final Column AGE = new Column("Age", "string", "", AGE_TEXT, 0, Column::age);

    /** The age in Tables of custom resources that declare no columns. */
    static final Column CUSTOM_AGE = new Column("Age", "date", "", AGE_TEXT, 0, Column::age);

    /** The time of creation, for built-in kinds without columns of their own. */
    static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            "When the object was created.",
            0,
            (object, now) -> text(metadata(object, "creationTimestamp")));

    /** The same column with other cells. */
    Column with(BiFunction<ObjectNode, Instant, JsonNode> cells) {
        return new Column(name, type, format, description, priority, cells);
    }

    ObjectNode definition() {
        return Json.object()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority);
    }

    private static JsonNode age(ObjectNode object, Instant now) {
        String created = metadata(object, "creationTimestamp");
        return created.isEmpty() ? text("<unknown>") : text(sinceText(created, now));
    }

    /** The time since a moment in human form; {@code <invalid>} if the text is not an RFC 3339 time. */
    static String sinceText(String rfc3339, Instant now) {
        try {
            return HumanDuration.of(
                    Duration.between(OffsetDateTime.parse(rfc3339).toInstant(), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    static JsonNode text(String text) {
        return Json.nodes().stringNode(text);
    }

    private static String metadata(ObjectNode object, String field) {
        return object.path("metadata").path(field).asString("");
    }
}
