package io.fairlead.schema.json;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How many bytes a tree of JSON holds, or that of a text, estimated and rather too many: a text of empty objects becomes a
 * tree thirty times as large, one of long strings hardly larger than itself.
 */
public final class TreeBytes {
    /** Of texts up to this size the worst is assumed, which costs less than looking. */
    private static final int LOOKED_AT = 4 * 1024;

    private static final int WORST = 32;

    /** A node with its map or list, and an element's place in it. */
    private static final int CONTAINER = 88;

    /** An entry of a map with its place, the node and the header of the name. */
    private static final int MEMBER = 112;

    /** A scalar and its place in a list. */
    private static final int ELEMENT = 40;

    private TreeBytes() {}

    /** Of a tree that is there; it may have more than its text had, such as defaults. */
    public static long of(JsonNode tree) {
        long bytes = 0;
        switch (tree) {
            case ObjectNode object -> {
                bytes += CONTAINER;
                for (Map.Entry<String, JsonNode> member : object.properties()) {
                    bytes += MEMBER + 2L * member.getKey().length() + of(member.getValue());
                }
            }
            case ArrayNode array -> {
                bytes += CONTAINER;
                for (JsonNode element : array.values()) {
                    bytes += ELEMENT + of(element);
                }
            }
            default -> bytes += tree.isString() ? 2L * tree.stringValue().length() : 0;
        }
        return bytes;
    }

    /** Of a text in UTF-8. */
    public static long of(byte[] json) {
        if (json.length <= LOOKED_AT) {
            return (long) json.length * WORST;
        }
        long bytes = 2L * json.length;
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
                    case '{', '[' -> bytes += CONTAINER;
                    case ':' -> bytes += MEMBER;
                    case ',' -> bytes += ELEMENT;
                    default -> {}
                }
            }
        }
        return bytes;
    }
}
