package io.fairlead.cli.types;

import io.fairlead.cli.print.Table;
import io.fairlead.model.Visible;
import io.fairlead.schema.compare.Difference;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.VersionComparison;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Renders comparisons of types: a document for programs, and rows of a table for people. */
final class TypeDiff {
    private static final int TOLD_LENGTH_MAX = 60;
    /** Texts that no other value looks like: not a number, a boolean or a quoted text. */
    private static final Pattern PLAIN = Pattern.compile("(?!(true|false|null)$)[A-Za-z./^][\\x21-\\x7e&&[^\\\\]]*");

    private static final String VERDICT = "verdict";
    private static final String VERSION = "version";

    private TypeDiff() {}

    static ObjectNode json(TypeComparison comparison) {
        ObjectNode entry = Json.object()
                .put("group", comparison.group())
                .put("kind", comparison.kind())
                .put(VERDICT, comparison.verdict().text());
        entry.set("differences", json(comparison.differences()));
        ArrayNode versions = entry.putArray("versions");
        for (VersionComparison version : comparison.versions()) {
            ObjectNode each = versions.addObject()
                    .put("name", version.name())
                    .put(VERDICT, version.verdict().text());
            each.set("differences", json(version.differences()));
            if (version.untold() > 0) {
                each.put("untold", version.untold());
            }
        }
        return entry;
    }

    private static ArrayNode json(List<Difference> differences) {
        ArrayNode array = Json.array();
        for (Difference difference : differences) {
            ObjectNode each = array.addObject().put("path", difference.path()).put("rule", difference.rule());
            if (difference.before() != null) {
                each.set("old", difference.before());
            }
            if (difference.after() != null) {
                each.set("new", difference.after());
            }
            each.put(VERDICT, difference.verdict().text());
        }
        return array;
    }

    /** A row for each type and version with its verdict, each followed by its differences. */
    static List<JsonNode> rows(ArrayNode document) {
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode entry : document) {
            String type = name(entry);
            if (!entry.path("differences").isEmpty() || entry.path("versions").isEmpty()) {
                add(rows, type, "*", entry);
            }
            for (JsonNode version : entry.path("versions").values()) {
                add(rows, type, text(version, "name"), version);
            }
        }
        return rows;
    }

    private static void add(List<JsonNode> rows, String type, String version, JsonNode judged) {
        rows.add(row(type, version).put(VERDICT, text(judged, VERDICT)));
        for (JsonNode difference : judged.path("differences").values()) {
            rows.add(row(type, version).setAll((ObjectNode) difference));
        }
        if (judged.has("untold")) {
            rows.add(row(type, version)
                    .put("path", "and " + judged.path("untold").asString() + " more"));
        }
    }

    private static ObjectNode row(String type, String version) {
        return Json.object().put("type", type).put(VERSION, version);
    }

    static List<Table.Column<JsonNode>> columns() {
        return List.of(
                new Table.Column<>("TYPE", row -> ascii(row, "type")),
                new Table.Column<>("VERSION", row -> ascii(row, VERSION)),
                new Table.Column<>("PATH", row -> told(row, "path")),
                new Table.Column<>("RULE", row -> told(row, "rule")),
                new Table.Column<>("OLD", row -> value(row.get("old"))),
                new Table.Column<>("NEW", row -> value(row.get("new"))),
                new Table.Column<>("VERDICT", row -> text(row, VERDICT)));
    }

    /** {@code Kind.group} of an entry of the document. */
    static String name(JsonNode entry) {
        return text(entry, "kind") + "." + text(entry, "group");
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    /** Similar letters must not hide a difference. */
    private static String ascii(JsonNode row, String field) {
        return Visible.ascii(text(row, field));
    }

    /** Rows of verdicts apply to everything. */
    private static String told(JsonNode row, String field) {
        return row.has(field) ? ascii(row, field) : "-";
    }

    /** The start of a value, as JSON in ASCII unless it is a plain text. */
    private static String value(@Nullable JsonNode value) {
        if (value == null) {
            return "-";
        }
        String text = value.isString() && PLAIN.matcher(value.stringValue()).matches()
                ? value.stringValue()
                : Visible.ascii(value.toString());
        if (text.codePointCount(0, text.length()) <= TOLD_LENGTH_MAX) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, TOLD_LENGTH_MAX - 1)) + "…";
    }
}
