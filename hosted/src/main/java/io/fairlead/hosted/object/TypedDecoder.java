package io.fairlead.hosted.object;

import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads trees into the shape of a schema as Go's decoder reads them into a struct: members in the schema's order, nulls
 * and empty optional values dropped, unknown members told and dropped, a value of a wrong type refused.
 *
 * <p>Understands of OpenAPI: {@code type}, {@code properties}, {@code additionalProperties}, {@code items},
 * {@code required} (kept even when empty), {@code format: byte} and {@code x-kubernetes-preserve-unknown-fields}.
 *
 * <p>Stateless; any thread.
 */
public final class TypedDecoder {
    private final String kind;
    private final JsonNode schema;

    /**
     * A decoder.
     *
     * @param kind the kind that messages name
     * @param schema the kind's schema
     */
    public TypedDecoder(String kind, JsonNode schema) {
        this.kind = kind;
        this.schema = schema;
    }

    /**
     * Reads a tree, which is not changed.
     *
     * @param unknown takes the path of each member that the schema does not know
     * @throws Mismatch if a value has a wrong type
     */
    public ObjectNode decode(ObjectNode tree, List<String> unknown) throws Mismatch {
        return struct(tree, schema, "", unknown);
    }

    /** A value that does not have the type that its place asks for. */
    public static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1L;

        Mismatch(String message) {
            super(message, null, false, false);
        }
    }

    private @Nullable JsonNode value(JsonNode value, JsonNode schema, String path, List<String> unknown)
            throws Mismatch {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)) {
            return value.deepCopy();
        }
        return switch (schema.path("type").asString("")) {
            case "object" -> {
                expect(value.isObject(), value, path, schema.has("properties") ? "struct" : "map[string]string");
                yield schema.has("properties")
                        ? struct((ObjectNode) value, schema, path, unknown)
                        : map((ObjectNode) value, schema.path("additionalProperties"), path, unknown);
            }
            case "array" -> {
                expect(value.isArray(), value, path, "[]" + goType(schema.path("items")));
                yield list((ArrayNode) value, schema.path("items"), path, unknown);
            }
            default -> scalar(value, schema, path);
        };
    }

    private JsonNode scalar(JsonNode value, JsonNode schema, String path) throws Mismatch {
        boolean fits = switch (schema.path("type").asString("")) {
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> true;
        };
        expect(fits, value, path, goType(schema));
        if (schema.path("format").asString("").equals("byte")) {
            checkBase64(value.stringValue());
        }
        return value;
    }

    private ObjectNode struct(ObjectNode object, JsonNode schema, String path, List<String> unknown) throws Mismatch {
        JsonNode properties = schema.path("properties");
        Set<String> required = new HashSet<>(Meta.strings(schema.path("required")));
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            String name = property.getKey();
            JsonNode given = object.get(name);
            if (given == null || given.isNull()) {
                continue;
            }
            JsonNode read = value(given, property.getValue(), child(path, name), unknown);
            if (read != null && (required.contains(name) || !isEmpty(read))) {
                result.set(name, read);
            }
        }
        for (String name : object.propertyNames()) {
            if (!properties.has(name)) {
                unknown.add(child(path, name));
            }
        }
        return result;
    }

    private ObjectNode map(ObjectNode object, JsonNode values, String path, List<String> unknown) throws Mismatch {
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonNode given = member.getValue().isNull() ? zero(values) : member.getValue();
            JsonNode read = value(given, values, child(path, member.getKey()), unknown);
            if (read != null) {
                result.set(member.getKey(), read);
            }
        }
        return result;
    }

    private ArrayNode list(ArrayNode array, JsonNode items, String path, List<String> unknown) throws Mismatch {
        ArrayNode result = Json.array();
        for (int i = 0; i < array.size(); i++) {
            JsonNode given = array.get(i).isNull() ? zero(items) : array.get(i);
            JsonNode read = value(given, items, path + "[" + i + "]", unknown);
            if (read != null) {
                result.add(read);
            }
        }
        return result;
    }

    private void expect(boolean fits, JsonNode value, String path, String goType) throws Mismatch {
        if (!fits) {
            throw new Mismatch("json: cannot unmarshal " + jsonType(value) + " into Go struct field " + kind + "."
                    + path + " of type " + goType);
        }
    }

    private static void checkBase64(String text) throws Mismatch {
        try {
            Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new Mismatch("illegal base64 data at input byte " + firstBadByte(text));
        }
    }

    private static int firstBadByte(String text) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        List<Integer> bad = new ArrayList<>();
        for (int i = 0; i < text.length() && bad.isEmpty(); i++) {
            if (alphabet.indexOf(text.charAt(i)) < 0) {
                bad.add(i);
            }
        }
        return bad.isEmpty() ? text.length() / 4 * 4 : bad.getFirst();
    }

    private static JsonNode zero(JsonNode schema) {
        return switch (schema.path("type").asString("")) {
            case "object" -> Json.object();
            case "array" -> Json.array();
            case "boolean" -> Json.nodes().booleanNode(false);
            case "integer", "number" -> Json.nodes().numberNode(0L);
            default -> Json.nodes().stringNode("");
        };
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isContainer()
                ? value.isEmpty()
                : value.isString() && value.stringValue().isEmpty();
    }

    private static String goType(JsonNode schema) {
        return switch (schema.path("type").asString("")) {
            case "integer" -> schema.path("format").asString("int64");
            case "boolean" -> "bool";
            case "number" -> "float64";
            case "object" -> "map[string]string";
            default -> "string";
        };
    }

    private static String jsonType(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            default -> "string";
        };
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
