package io.fairlead.schema.json;

/**
 * How many bytes the tree of a JSON text holds, estimated from the text and rather too many: a text of empty objects becomes a
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
