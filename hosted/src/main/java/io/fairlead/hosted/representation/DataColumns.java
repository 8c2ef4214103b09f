package io.fairlead.hosted.representation;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonResources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The columns of the kinds that are served as data, as {@code data-columns.yaml} says them. */
final class DataColumns {
    private static final String RESOURCE = "data-columns.json";
    private static final String WIDE = "+";
    private static final Map<String, List<Column>> ALL = read();

    private DataColumns() {}

    /** The columns of a resource, or null if nothing is said of it. */
    static @Nullable List<Column> of(String groupResource) {
        return ALL.get(groupResource);
    }

    private static Map<String, List<Column>> read() {
        Map<String, List<Column>> all = new HashMap<>();
        JsonResources.read(DataColumns.class, RESOURCE).forEachEntry((resource, headers) -> {
            List<Column> columns = new ArrayList<>(List.of(Column.NAME));
            headers.forEachEntry((header, cell) -> {
                if (header.equals(Column.NAME.name())) {
                    columns.set(0, Column.NAME.with(cell(cell.stringValue())));
                } else {
                    columns.add(column(header, cell.stringValue()));
                }
            });
            all.put(resource, List.copyOf(columns));
        });
        return all;
    }

    private static Column column(String header, String cell) {
        if (cell.equals("age")) {
            return Column.AGE;
        }
        boolean isWide = header.startsWith(WIDE);
        String named = isWide ? header.substring(1) : header;
        int colon = named.indexOf(':');
        String name = colon < 0 ? named : named.substring(0, colon);
        String said = colon < 0 ? "string" : named.substring(colon + 1);
        boolean isName = said.equals(Column.NAME.format());
        String type = isName ? "string" : said;
        String format = isName ? said : "";
        return new Column(name, type, format, "What kubectl shows as " + name + ".", isWide ? 1 : 0, cell(cell));
    }

    private static BiFunction<ObjectNode, Instant, JsonNode> cell(String text) {
        List<String> words = List.of(text.split(" ", -1));
        return switch (words.getFirst()) {
            case "number" -> typed(words, Json.nodes().numberNode(0));
            case "boolean" -> typed(words, Json.nodes().booleanNode(false));
            case "items" ->
                (object, now) -> Json.nodes().numberNode(object.at(words.get(1)).size());
            case "joined" ->
                (object, now) -> Column.text(object.at(words.get(1))
                        .valueStream()
                        .map(item -> item.asString(""))
                        .collect(Collectors.joining(",")));
            default -> text.startsWith("/") ? pointed(words) : DataCells.of(text);
        };
    }

    private static BiFunction<ObjectNode, Instant, JsonNode> typed(List<String> words, JsonNode zero) {
        JsonNode otherwise = words.size() > 2 ? Column.text(words.get(2)) : zero;
        return (object, now) -> {
            JsonNode value = object.at(words.get(1));
            return value.isMissingNode() ? otherwise : value;
        };
    }

    private static BiFunction<ObjectNode, Instant, JsonNode> pointed(List<String> words) {
        String otherwise = words.size() > 1 ? words.get(1) : "";
        return (object, now) -> {
            String value = object.at(words.getFirst()).asString("");
            return Column.text(value.isEmpty() ? otherwise : value);
        };
    }
}
