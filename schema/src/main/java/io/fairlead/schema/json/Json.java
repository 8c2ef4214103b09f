package io.fairlead.schema.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON texts (RFC 8259) as trees and back. */
public final class Json {
    /** How deeply arrays and objects may nest. */
    public static final int DEPTH_MAX = 256;

    private Json() {}

    /** A new object whose integers are int64. */
    public static ObjectNode object() {
        return nodes().objectNode();
    }

    /** A new array whose integers are int64. */
    public static ArrayNode array() {
        return nodes().arrayNode();
    }

    /** What makes nodes for trees of this package. */
    public static JsonNodeFactory nodes() {
        return Int64Nodes.INSTANCE;
    }

    /**
     * The tree of a text; of keys that occur twice in an object the last wins.
     *
     * @throws UnreadableDocumentException if it is not one JSON value, or deeper than {@link #DEPTH_MAX}
     */
    public static JsonNode read(byte[] utf8) {
        return readDocument(utf8).root();
    }

    /**
     * The tree of a text, together with the keys that occur twice.
     *
     * @throws UnreadableDocumentException if it is not one JSON value, or deeper than {@link #DEPTH_MAX}
     */
    public static Document readDocument(byte[] utf8) {
        return JsonReader.read(utf8, NumberForm.GO);
    }

    /**
     * {@link #readDocument} with every number as the decimal that is written ({@code DecimalNode}), never a double, and of
     * nothing but UTF-8.
     */
    public static Document readExact(byte[] utf8) {
        Utf8.refuseMalformed(utf8, "invalid JSON");
        return JsonReader.read(utf8, NumberForm.EXACT);
    }

    /** The tree of a text. */
    public static JsonNode read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The text of a tree: no white space, members in their order, numbers as Go's {@code encoding/json} prints them
     * (an integral double without a point), {@code <}, {@code >} and {@code &} as they are.
     */
    public static byte[] write(JsonNode tree) {
        return JsonWriter.write(tree);
    }

    /** A copy with the members of all objects in order, as Go's {@code encoding/json} writes maps. */
    public static JsonNode sorted(JsonNode tree) {
        return switch (tree) {
            case ObjectNode object -> {
                Map<String, JsonNode> members = new TreeMap<>();
                object.forEachEntry((name, value) -> members.put(name, sorted(value)));
                yield object().setAll(members);
            }
            case ArrayNode array -> {
                ArrayNode copy = array();
                array.values().forEach(value -> copy.add(sorted(value)));
                yield copy;
            }
            default -> tree;
        };
    }

    /** {@link #write(JsonNode)} as a string. */
    public static String text(JsonNode tree) {
        return new String(write(tree), StandardCharsets.UTF_8);
    }
}
