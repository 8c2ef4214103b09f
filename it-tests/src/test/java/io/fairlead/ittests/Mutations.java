package io.fairlead.ittests;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random changes of objects, each of which leaves all but one place as it was: most are errors that clients make. */
final class Mutations {
    private static final List<JsonElement> TEXTS = values("""
        ["", "x", "changed", "Not_A-Name!", "-1", "7", "a b", "a/b", "é", "10.1.2.3", "None", "Always"]\
        """);
    private static final List<JsonElement> NUMBERS =
            values("[-1, 0, 1, 2, 7, 101, 70000, 3000000000, 1.5, -2147483649]");
    private static final List<JsonElement> OTHERS = values("""
        ["text", 7, true, false, null, {}, [], {"a": "b"}, ["a"], [null], 1.5, "7"]\
        """);
    private static final int[] LENGTHS = {16, 64, 254, 300};

    /** What metadata may say, well or badly. */
    private static final List<JsonElement> METADATA = values("""
        [{"labels": {"a b": "c"}}, {"labels": {"a": "not valid!"}}, {"labels": {"p": "q"}}, {"labels": "x"}, {"labels": {"a": 1}},
         {"labels": {"/a": "b"}}, {"labels": {"-.com/a": "b"}}, {"labels": null}, {"annotations": {"Bad Key!": "x"}},
         {"annotations": {"p": "q"}}, {"annotations": ["a"]}, {"finalizers": ["unqualified"]}, {"finalizers": ["example.com/a"]},
         {"finalizers": ["example.com/a", "example.com/a"]}, {"finalizers": "a"}, {"finalizers": []}, {"generateName": "Bad_"},
         {"generateName": "good-"}, {"namespace": "two"}, {"namespace": "Not_A-Name!"}, {"namespace": ""}, {"uid": "other"},
         {"uid": "@uid"}, {"resourceVersion": ""}, {"resourceVersion": "0"}, {"resourceVersion": "1"}, {"resourceVersion": "abc"},
         {"resourceVersion": "@rv"}, {"resourceVersion": 7}, {"creationTimestamp": "2020-01-01T00:00:00Z"},
         {"creationTimestamp": "yesterday"}, {"creationTimestamp": null}, {"generation": 7}, {"generation": -1},
         {"deletionTimestamp": "2020-01-01T00:00:00Z"}, {"deletionGracePeriodSeconds": 3}, {"selfLink": "/x"},
         {"managedFields": []}, {"managedFields": [{}]}, {"managedFields": "x"}, {"unknown": 1}, {"name": 7}]\
        """);

    private final RandomGenerator random;

    Mutations(RandomGenerator random) {
        this.random = random;
    }

    /** Where a value stands: the names and indices that lead to it. */
    record Place(List<String> steps) {
        Place child(String step) {
            List<String> all = new ArrayList<>(steps);
            all.add(step);
            return new Place(all);
        }

        /** As a JSON pointer. */
        String pointer() {
            StringBuilder pointer = new StringBuilder();
            steps.forEach(
                    step -> pointer.append('/').append(step.replace("~", "~0").replace("/", "~1")));
            return pointer.toString();
        }

        JsonElement in(JsonElement object) {
            JsonElement at = object;
            for (String step : steps) {
                at = at.isJsonArray()
                        ? at.getAsJsonArray().get(Integer.parseInt(step))
                        : at.getAsJsonObject().get(step);
            }
            return at;
        }

        /** Puts a value there. */
        void set(JsonElement object, JsonElement value) {
            JsonElement parent = new Place(steps.subList(0, steps.size() - 1)).in(object);
            if (parent.isJsonArray()) {
                parent.getAsJsonArray().set(Integer.parseInt(steps.getLast()), value);
            } else {
                parent.getAsJsonObject().add(steps.getLast(), value);
            }
        }

        /** Takes away what is there. */
        void remove(JsonElement object) {
            JsonElement parent = new Place(steps.subList(0, steps.size() - 1)).in(object);
            if (parent.isJsonArray()) {
                parent.getAsJsonArray().remove(Integer.parseInt(steps.getLast()));
            } else {
                parent.getAsJsonObject().remove(steps.getLast());
            }
        }
    }

    /** A copy with one place changed. */
    JsonObject of(JsonObject object) {
        JsonObject changed = object.deepCopy();
        if (random.nextInt(6) == 0) {
            JsonObject metadata = changed.getAsJsonObject("metadata");
            pick(METADATA).getAsJsonObject().asMap().forEach((name, value) -> metadata.add(name, value.deepCopy()));
            return changed;
        }
        Place place = place(object);
        JsonElement value = place.in(changed);
        switch (random.nextInt(10)) {
            case 0 -> place.remove(changed);
            case 1 -> unknown(changed, place);
            case 2 -> place.set(changed, twice(value));
            default -> place.set(changed, another(value));
        }
        return changed;
    }

    /** A place in an object below its metadata's name, its apiVersion and its kind; the metadata if there is no other. */
    Place place(JsonObject object) {
        List<Place> places = new ArrayList<>();
        for (String member : object.keySet()) {
            if (!List.of("apiVersion", "kind", "metadata").contains(member)) {
                collect(object.get(member), new Place(List.of(member)), places);
            }
        }
        return places.isEmpty() ? new Place(List.of("metadata")).child("name") : pick(places);
    }

    private static void collect(JsonElement value, Place place, List<Place> places) {
        places.add(place);
        if (value.isJsonObject()) {
            value.getAsJsonObject()
                    .keySet()
                    .forEach(name -> collect(value.getAsJsonObject().get(name), place.child(name), places));
        } else if (value.isJsonArray()) {
            for (int i = 0; i < value.getAsJsonArray().size(); i++) {
                collect(value.getAsJsonArray().get(i), place.child(Integer.toString(i)), places);
            }
        }
    }

    /** A value instead of another, most often of the same type. */
    JsonElement another(JsonElement value) {
        if (!(value instanceof JsonPrimitive primitive) || random.nextInt(4) == 0) {
            return pick(OTHERS).deepCopy();
        }
        if (primitive.isNumber()) {
            return pick(NUMBERS);
        }
        if (primitive.isBoolean()) {
            return new JsonPrimitive(!primitive.getAsBoolean());
        }
        return random.nextInt(5) == 0
                ? new JsonPrimitive("a".repeat(LENGTHS[random.nextInt(LENGTHS.length)]))
                : pick(TEXTS);
    }

    /** A list with its last item once more; another value instead of what is no list. */
    private JsonElement twice(JsonElement value) {
        if (!value.isJsonArray() || value.getAsJsonArray().isEmpty()) {
            return another(value);
        }
        JsonArray list = value.deepCopy().getAsJsonArray();
        list.add(list.get(list.size() - 1).deepCopy());
        return list;
    }

    private void unknown(JsonObject object, Place place) {
        if (place.in(object) instanceof JsonObject at) {
            at.add("unknownField", pick(OTHERS).deepCopy());
        } else {
            object.addProperty("unknownField", 1);
        }
    }

    /** What an object has at a place, alone: a patch of just that. */
    static JsonObject alone(JsonObject object, Place place) {
        List<String> steps = place.steps();
        int length = 0;
        JsonElement at = object;
        while (length < steps.size() && at.isJsonObject()) {
            at = at.getAsJsonObject().has(steps.get(length))
                    ? at.getAsJsonObject().get(steps.get(length))
                    : JsonNull.INSTANCE;
            length++;
        }
        JsonObject alone = new JsonObject();
        JsonObject parent = alone;
        for (int i = 0; i < length - 1; i++) {
            JsonObject child = new JsonObject();
            parent.add(steps.get(i), child);
            parent = child;
        }
        parent.add(steps.get(length - 1), at.deepCopy());
        return alone;
    }

    /** The text of an object with an error that has nothing to do with what it is. */
    String unreadable(String valid) {
        return switch (random.nextInt(9)) {
            case 0 -> valid.substring(0, valid.length() - 1);
            case 1 -> valid.replaceFirst("\\{", "{\"kind\":\"Twice\",");
            case 2 -> "[]";
            case 3 -> "null";
            case 4 -> "";
            case 5 -> "not: [json";
            case 6 -> valid + "x";
            case 7 -> valid.replaceFirst("\"metadata\":\\{", "\"metadata\":{\"labels\":{\"a\":\"b\",\"a\":\"c\"},");
            default -> valid.replace("\"metadata\"", "\"Metadata\"");
        };
    }

    /** Adds a directive of strategic merge patches somewhere (community {@code strategic-merge-patch.md}), half of the time. */
    void direct(JsonElement patch) {
        if (patch instanceof JsonObject object) {
            if (oneIn(5)) {
                object.addProperty("$patch", pick(List.of("replace", "delete", "merge", "odd")));
            } else if (oneIn(9)) {
                object.add("$setElementOrder/containers", list(pick(List.of("c", "i"))));
            } else if (oneIn(9)) {
                object.add("$deleteFromPrimitiveList/finalizers", list("example.com/a"));
            } else if (oneIn(9)) {
                object.add(
                        "$retainKeys",
                        list(
                                object.keySet().isEmpty()
                                        ? "a"
                                        : object.keySet().iterator().next()));
            } else if (!object.isEmpty()) {
                direct(object.get(pick(List.copyOf(object.keySet()))));
            }
        } else if (patch instanceof JsonArray array && !array.isEmpty()) {
            direct(array.get(0));
        }
    }

    private static JsonArray list(String item) {
        JsonArray list = new JsonArray();
        list.add(item);
        return list;
    }

    private boolean oneIn(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static List<JsonElement> values(String json) {
        return JsonParser.parseString(json).getAsJsonArray().asList();
    }
}
