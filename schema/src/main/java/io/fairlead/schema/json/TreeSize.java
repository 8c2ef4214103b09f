package io.fairlead.schema.json;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How large a tree of JSON is, or that of a text, estimated and rather too large: a text of empty objects becomes a tree forty
 * times as large, one of long strings hardly larger than itself.
 *
 * @param values of all its objects and lists together
 * @param bytes that it holds
 */
public record TreeSize(long values, long bytes) {
    /** A node with its map or list. */
    private static final int CONTAINER = 88;

    /** An entry of a map with its place, the node and the header of the name. */
    private static final int MEMBER = 112;

    /** A scalar and its place in a list. */
    private static final int ELEMENT = 40;

    /** Of a tree that is there; it may have more than its text had, such as defaults. */
    public static TreeSize of(JsonNode tree) {
        long values = 0;
        long bytes = 0;
        switch (tree) {
            case ObjectNode object -> {
                bytes += CONTAINER;
                for (Map.Entry<String, JsonNode> member : object.properties()) {
                    TreeSize size = of(member.getValue());
                    values += 1 + size.values;
                    bytes += ofName(member.getKey()) + size.bytes;
                }
            }
            case ArrayNode array -> {
                bytes += CONTAINER;
                for (JsonNode element : array.values()) {
                    TreeSize size = of(element);
                    values += 1 + size.values;
                    bytes += ELEMENT + size.bytes;
                }
            }
            default -> bytes += tree.isString() ? 2L * tree.stringValue().length() : 0;
        }
        return new TreeSize(values, bytes);
    }

    /** What a member takes beside its value. */
    public static long ofName(String name) {
        return MEMBER + 2L * name.length();
    }

    /** Of a text in UTF-8. */
    public static TreeSize ofJson(byte[] json) {
        long containers = 0;
        long members = 0;
        long commas = 0;
        boolean inString = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (inString) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    inString = false;
                }
            } else {
                switch (b) {
                    case '"' -> inString = true;
                    case '{', '[' -> containers++;
                    case ':' -> members++;
                    case ',' -> commas++;
                    default -> {}
                }
            }
        }
        return new TreeSize(
                containers + commas, 2L * json.length + containers * CONTAINER + members * MEMBER + commas * ELEMENT);
    }

    /** Of both together. */
    public TreeSize with(TreeSize other) {
        return new TreeSize(values + other.values, bytes + other.bytes);
    }

    /**
     * As {@link #ofJson}, but whatever might begin a value counts as one, within strings too, as these need no quotes. What an alias
     * stands for is copied.
     */
    public static TreeSize ofYaml(byte[] yaml) {
        long containers = 0;
        long members = 0;
        long aliases = 0;
        boolean hasAnchor = false;
        for (byte b : yaml) {
            switch (b) {
                case '{', '[', '-' -> containers++;
                case ':', '?', ',', '\n', '\r' -> members++;
                case '*' -> aliases++;
                case '&' -> hasAnchor = true;
                default -> {}
            }
        }
        long written = containers + members;
        long aliased = hasAnchor ? Math.min(Yaml.ALIASED_VALUES_MAX, aliases * written) : 0;
        return new TreeSize(
                written + aliased,
                2L * yaml.length
                        + containers * (CONTAINER + ELEMENT)
                        + members * MEMBER
                        + aliased * (CONTAINER + MEMBER));
    }

    /**
     * Of a message in protobuf, whose strings look like messages: each control character counts as a value, since it is the
     * tag or the length of a short one, and few texts have any but the ends of their lines. So does what begins a value of JSON, which
     * some fields hold.
     */
    public static TreeSize ofProtobuf(byte[] message) {
        long values = message.length / ' '; // Of longer ones, whose length is no control character.
        for (byte b : message) {
            if ((b >= 0 && b < ' ') || b == '{' || b == '[' || b == ':' || b == ',') {
                values++;
            }
        }
        return new TreeSize(values, 2L * message.length + values * (CONTAINER + MEMBER));
    }
}
