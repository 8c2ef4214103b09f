package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random values of one seed that stay near the border of what two schemas take: bounds, allowed values, unknown members. */
final class RandomObjects {
    private static final List<String> TEXTS =
            List.of("", "a", "A", "0", "-", "ab", "é", "2020-01-01", "127.0.0.1", "shoe", "x");

    private static final List<String> TYPES =
            List.of("string", "integer", "number", "boolean", "array", "object", "object");
    /** Lists are left out of account where a format is. */
    private static final List<String> SCALARS = List.of("string", "integer", "number", "boolean");

    private final Random random;

    RandomObjects(long seed) {
        this.random = new Random(seed);
    }

    /** A value that may fit one schema or the other; missing ones are empty schemas. */
    JsonNode next(JsonNode before, JsonNode after) {
        if (oneIn(12)) {
            return Json.nodes().nullNode();
        }
        JsonNode schema = random.nextBoolean() ? before : after;
        if (oneIn(4)) {
            JsonNode said = said(before, after);
            if (said != null) {
                return said;
            }
        }
        return ofType(oneIn(10) ? "" : schema.path("type").asString(""), before, after);
    }

    private JsonNode ofType(String type, JsonNode before, JsonNode after) {
        return switch (type) {
            case "string" -> Json.nodes().stringNode(text(before, after));
            case "integer" -> Json.nodes().numberNode(integer(before, after));
            case "number" ->
                random.nextBoolean()
                        ? Json.nodes().numberNode(integer(before, after))
                        : Json.nodes().numberNode(pick(List.of(0.5, 1.5, -0.25, 0.75, 1e39, 100.125)));
            case "boolean" -> Json.nodes().booleanNode(random.nextBoolean());
            case "array" -> array(before.path("items"), after.path("items"));
            case "object" -> object(before, after);
            default -> ofType(pick(before.has("format") || after.has("format") ? SCALARS : TYPES), before, after);
        };
    }

    /** A value that one of the schemas names. */
    private @Nullable JsonNode said(JsonNode before, JsonNode after) {
        List<JsonNode> said = new ArrayList<>();
        for (JsonNode schema : List.of(before, after)) {
            said.addAll(schema.path("enum").values());
            if (schema.has("default")) {
                said.add(schema.get("default"));
            }
        }
        return said.isEmpty() ? null : Json.read(pick(said).toString());
    }

    private String text(JsonNode before, JsonNode after) {
        if (random.nextBoolean()) {
            return pick(TEXTS);
        }
        long length = border(before, after, List.of("minLength", "maxLength"), 6);
        return pick(List.of("a", "0", "é")).repeat(Math.clamp(length, 0, 100));
    }

    private long integer(JsonNode before, JsonNode after) {
        return oneIn(10) ? 3_000_000_000L : border(before, after, List.of("minimum", "maximum", "multipleOf"), 12);
    }

    private long border(JsonNode before, JsonNode after, List<String> keywords, int most) {
        JsonNode schema = random.nextBoolean() ? before : after;
        JsonNode bound = schema.path(pick(keywords));
        return bound.isNumber() ? bound.decimalValue().longValue() + random.nextInt(3) - 1 : random.nextInt(most) - 1;
    }

    private ArrayNode array(JsonNode before, JsonNode after) {
        ArrayNode array = Json.array();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(!array.isEmpty() && oneIn(3) ? array.get(0).deepCopy() : next(before, after));
        }
        return array;
    }

    private ObjectNode object(JsonNode before, JsonNode after) {
        Set<String> names = new TreeSet<>(before.path("properties").propertyNames());
        names.addAll(after.path("properties").propertyNames());
        ObjectNode object = Json.object();
        for (String name : names) {
            if (!oneIn(3)) {
                object.set(name, next(member(before, name), member(after, name)));
            }
        }
        if (oneIn(3)) {
            object.set("zz", next(member(before, "zz"), member(after, "zz")));
        }
        if (oneIn(6)) {
            object.set("yy", next(member(before, "yy"), member(after, "yy")));
        }
        boolean mayBeResource = before.has(SchemaNode.EMBEDDED) || after.has(SchemaNode.EMBEDDED);
        if (mayBeResource && !oneIn(4)) {
            object.put("apiVersion", "v1").put("kind", "Thing");
        }
        return object;
    }

    private static JsonNode member(JsonNode schema, String name) {
        JsonNode property = schema.path("properties").path(name);
        return property.isMissingNode() ? schema.path("additionalProperties") : property;
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
