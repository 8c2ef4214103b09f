package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Random JSON values of one seed that stay near the border of what two schemas take. */
final class RandomValues {
    private static final List<String> TEXTS =
            List.of("", "a", "A", "0", "-", "ab", "é", "2020-01-01", "127.0.0.1", "shoe", "x");
    private static final List<String> TYPES =
            List.of("string", "integer", "number", "boolean", "array", "object", "object");
    /** Lists are left out of account where a format is. */
    private static final List<String> SCALARS = List.of("string", "integer", "number", "boolean");

    private static final JsonObject NOTHING = new JsonObject();

    private final Random random;

    RandomValues(long seed) {
        this.random = new Random(seed);
    }

    /** A value that may fit one schema or the other; missing ones are empty schemas. */
    JsonElement next(JsonObject before, JsonObject after) {
        if (oneIn(12)) {
            return JsonNull.INSTANCE;
        }
        List<JsonElement> said = said(before, after);
        if (!said.isEmpty() && oneIn(4)) {
            return pick(said);
        }
        JsonObject schema = random.nextBoolean() ? before : after;
        boolean isTyped = schema.has("type") && !oneIn(10);
        return ofType(isTyped ? schema.get("type").getAsString() : "", before, after);
    }

    private JsonElement ofType(String type, JsonObject before, JsonObject after) {
        return switch (type) {
            case "string" -> new JsonPrimitive(text(before, after));
            case "integer" -> new JsonPrimitive(integer(before, after));
            case "number" ->
                new JsonPrimitive(
                        random.nextBoolean()
                                ? (Number) integer(before, after)
                                : (Number) pick(List.of(0.5, 1.5, -0.25, 0.75, 1e39, 100.125)));
            case "boolean" -> new JsonPrimitive(random.nextBoolean());
            case "array" -> array(child(before, "items"), child(after, "items"));
            case "object" -> object(before, after);
            default -> ofType(pick(before.has("format") || after.has("format") ? SCALARS : TYPES), before, after);
        };
    }

    /** The values that the schemas name. */
    private static List<JsonElement> said(JsonObject... schemas) {
        List<JsonElement> said = new ArrayList<>();
        for (JsonObject schema : schemas) {
            if (schema.has("enum")) {
                said.addAll(schema.getAsJsonArray("enum").asList());
            }
            if (schema.has("default")) {
                said.add(schema.get("default"));
            }
        }
        return said;
    }

    private String text(JsonObject before, JsonObject after) {
        if (random.nextBoolean()) {
            return pick(TEXTS);
        }
        long length = border(before, after, List.of("minLength", "maxLength"), 6);
        return pick(List.of("a", "0", "é")).repeat(Math.clamp(length, 0, 100));
    }

    private Long integer(JsonObject before, JsonObject after) {
        return oneIn(10) ? 3_000_000_000L : border(before, after, List.of("minimum", "maximum", "multipleOf"), 12);
    }

    private long border(JsonObject before, JsonObject after, List<String> keywords, int most) {
        JsonElement bound = (random.nextBoolean() ? before : after).get(pick(keywords));
        return bound == null ? random.nextInt(most) - 1 : bound.getAsLong() + random.nextInt(3) - 1;
    }

    private JsonArray array(JsonObject before, JsonObject after) {
        var array = new JsonArray();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(!array.isEmpty() && oneIn(3) ? array.get(0) : next(before, after));
        }
        return array;
    }

    private JsonObject object(JsonObject before, JsonObject after) {
        Set<String> names = new TreeSet<>(child(before, "properties").keySet());
        names.addAll(child(after, "properties").keySet());
        var object = new JsonObject();
        for (String name : names) {
            if (!oneIn(3)) {
                object.add(name, next(member(before, name), member(after, name)));
            }
        }
        if (oneIn(3)) {
            object.add("zz", next(member(before, "zz"), member(after, "zz")));
        }
        if (oneIn(6)) {
            object.add("yy", next(member(before, "yy"), member(after, "yy")));
        }
        String embedded = "x-kubernetes-embedded-resource";
        if ((before.has(embedded) || after.has(embedded)) && !oneIn(4)) {
            object.addProperty("apiVersion", "v1");
            object.addProperty("kind", "Thing");
        }
        return object;
    }

    private static JsonObject member(JsonObject schema, String name) {
        JsonObject properties = child(schema, "properties");
        return properties.has(name) ? child(properties, name) : child(schema, "additionalProperties");
    }

    private static JsonObject child(JsonObject schema, String keyword) {
        return schema.get(keyword) instanceof JsonObject child ? child : NOTHING;
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
