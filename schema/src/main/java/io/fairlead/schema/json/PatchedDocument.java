package io.fairlead.schema.json;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A document while the operations of a JSON patch change it in place. */
final class PatchedDocument {
    /** Makes 1 and 1.0 equal, as where numbers are compared after decoding to float64. */
    private static final Comparator<JsonNode> NUMBERS_BY_VALUE = (a, b) -> {
        if (a.isNumber() && b.isNumber() && a.isIntegralNumber() != b.isIntegralNumber()) {
            return Double.compare(a.doubleValue(), b.doubleValue());
        }
        return a.equals(b) ? 0 : 1;
    };

    private static final String TOO_DEEP = "a value that is nested deeper than " + Json.DEPTH_MAX + " levels";

    /** The objects that operations led into, which github.com/evanphx/json-patch reads into maps. */
    private final Set<JsonNode> reached = Collections.newSetFromMap(new IdentityHashMap<>());

    private JsonNode root;
    private long copiedBytes;

    PatchedDocument(JsonNode root) {
        this.root = root;
    }

    JsonNode root() {
        return root;
    }

    /** The document with the members of objects that operations led into sorted by name, and all others as they stood. */
    JsonNode written() {
        return written(root);
    }

    private JsonNode written(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode members = Json.object();
                List<String> names = new ArrayList<>(object.propertyNames());
                if (reached.contains(object)) {
                    names.sort(null);
                }
                names.forEach(name -> members.set(name, written(object.path(name))));
                yield members;
            }
            case ArrayNode array -> {
                ArrayNode items = Json.array();
                array.forEach(item -> items.add(written(item)));
                yield items;
            }
            default -> value;
        };
    }

    /** That it can be written and read again. */
    void requireReadable() {
        if (isTooDeep(root)) {
            throw refusal("makes " + TOO_DEEP);
        }
    }

    /** Looks at one value after the other: operations may nest them deeper than calls may be. */
    private static boolean isTooDeep(JsonNode value) {
        List<JsonNode> level = List.of(value);
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth >= Json.DEPTH_MAX) {
                return true;
            }
            List<JsonNode> below = new ArrayList<>();
            level.forEach(each -> each.forEach(child -> {
                if (child.isContainer()) {
                    below.add(child);
                }
            }));
            level = below;
        }
        return false;
    }

    void apply(int index, ObjectNode operation) {
        String kind = operation.path("op").asString("");
        try {
            switch (kind) {
                case "add" -> add(place(operation, "path"), value(operation).deepCopy());
                case "remove" -> remove(place(operation, "path"));
                case "replace" -> replace(operation);
                case "move" -> move(operation);
                case "copy" -> copy(operation);
                case "test" -> test(operation);
                default -> throw new DoesNotApply("unknown operation \"" + kind + "\"");
            }
        } catch (DoesNotApply e) {
            throw refusal(
                    "[" + index + "] " + kind + " " + operation.path("path").asString("") + ": " + e.problem);
        }
    }

    private static StatusException refusal(String problem) {
        return new StatusException(Status.of(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request: json patch operation " + problem));
    }

    private void replace(ObjectNode operation) throws DoesNotApply {
        JsonNode value = value(operation).deepCopy();
        if (pointer(operation, "path").isEmpty()) {
            if (!value.isContainer()) {
                throw new DoesNotApply("the whole document can only be an object or an array");
            }
            root = value;
            return;
        }
        switch (place(operation, "path")) {
            case Place(ObjectNode object, String key) -> object.set(key, value);
            case Place(ArrayNode array, String key) -> array.set(existing(array, key), value);
            case Place place -> throw noContainer(place);
        }
    }

    private void move(ObjectNode operation) throws DoesNotApply {
        Place from = place(operation, "from");
        JsonNode value = get(from);
        remove(from);
        add(place(operation, "path"), value == null ? Json.nodes().nullNode() : value);
    }

    private void copy(ObjectNode operation) throws DoesNotApply {
        JsonNode found = get(place(operation, "from"));
        if (found != null && isTooDeep(found)) {
            throw new DoesNotApply(TOO_DEEP);
        }
        JsonNode value = found == null ? Json.nodes().nullNode() : written(found);
        copiedBytes += Json.write(value).length;
        if (copiedBytes > JsonPatch.COPIED_BYTES_MAX) {
            throw new StatusException(Status.of(
                    413,
                    "RequestEntityTooLarge",
                    "the copy operations of the JSON patch copy " + copiedBytes + " bytes, the limit is "
                            + JsonPatch.COPIED_BYTES_MAX));
        }
        add(place(operation, "path"), value);
    }

    private void test(ObjectNode operation) throws DoesNotApply {
        JsonNode expected = value(operation);
        JsonNode actual = pointer(operation, "path").isEmpty() ? root : get(place(operation, "path"));
        if (actual != null && isTooDeep(actual)) {
            throw new DoesNotApply(TOO_DEEP);
        }
        boolean equal = actual == null ? expected.isNull() : actual.equals(NUMBERS_BY_VALUE, expected);
        if (!equal) {
            throw new DoesNotApply("the value is not the expected one");
        }
        if (actual != null) {
            reachAll(actual);
        }
    }

    /** What was compared member by member. */
    private void reachAll(JsonNode value) {
        if (value.isContainer()) {
            reached.add(value);
            value.forEach(this::reachAll);
        }
    }

    private static void add(Place place, JsonNode value) throws DoesNotApply {
        switch (place) {
            case Place(ObjectNode object, String key) -> object.set(key, value);
            case Place(ArrayNode array, String key) -> array.insert(insertion(array, key), value);
            case Place ignored -> throw noContainer(place);
        }
    }

    private static void remove(Place place) throws DoesNotApply {
        switch (place) {
            case Place(ObjectNode object, String key) -> {
                if (object.remove(key) == null) {
                    throw new DoesNotApply("there is no member \"" + key + "\"");
                }
            }
            case Place(ArrayNode array, String key) -> array.remove(existing(array, key));
            case Place ignored -> throw noContainer(place);
        }
    }

    /** The value at a place, null where an object has no such member. */
    private static @Nullable JsonNode get(Place place) throws DoesNotApply {
        return switch (place) {
            case Place(ObjectNode object, String key) -> object.get(key);
            case Place(ArrayNode array, String key) -> array.get(existing(array, key));
            case Place ignored -> throw noContainer(place);
        };
    }

    private Place place(ObjectNode operation, String member) throws DoesNotApply {
        String pointer = pointer(operation, member);
        if (!pointer.startsWith("/")) {
            throw new DoesNotApply("\"" + member + "\" must begin with \"/\"");
        }
        String[] tokens = pointer.substring(1).split("/", -1);
        JsonNode container = root;
        reached.add(container);
        for (int i = 0; i < tokens.length - 1; i++) {
            container = get(new Place(container, unescaped(tokens[i])));
            if (container == null || !container.isContainer()) {
                throw new DoesNotApply("the document has no " + pointer);
            }
            reached.add(container);
        }
        return new Place(container, unescaped(tokens[tokens.length - 1]));
    }

    private static String pointer(ObjectNode operation, String member) throws DoesNotApply {
        JsonNode pointer = operation.get(member);
        if (pointer == null) {
            throw new DoesNotApply("\"" + member + "\" is missing");
        }
        return pointer.stringValue();
    }

    private static JsonNode value(ObjectNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? Json.nodes().nullNode() : value;
    }

    /** RFC 6901 section 4; {@code ~01} is {@code ~1}. */
    private static String unescaped(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }

    private static int insertion(ArrayNode array, String key) throws DoesNotApply {
        return key.equals("-") ? array.size() : index(key, array.size() + 1);
    }

    private static int existing(ArrayNode array, String key) throws DoesNotApply {
        return index(key, array.size());
    }

    private static int index(String key, int size) throws DoesNotApply {
        try {
            int index = Integer.parseInt(key);
            int fromStart = index < 0 ? index + size : index;
            if (fromStart >= 0 && fromStart < size) {
                return fromStart;
            }
        } catch (NumberFormatException ignored) {
            throw new DoesNotApply("\"" + key + "\" is no index of an array");
        }
        throw new DoesNotApply("index " + key + " is out of range");
    }

    private static DoesNotApply noContainer(Place place) {
        return new DoesNotApply("there is nothing that could have a member \"" + place.key + "\"");
    }

    /** A member or element, which need not exist, of a container. */
    private record Place(JsonNode container, String key) {}

    /** Why an operation does not apply. */
    private static final class DoesNotApply extends Exception {
        private static final long serialVersionUID = 1L;

        private final String problem;

        DoesNotApply(String problem) {
            super(problem, null, false, false);
            this.problem = problem;
        }
    }
}
