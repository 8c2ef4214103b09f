package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** A list in JSON, on one line or, for people, indented: its items are the last member. */
final class JsonList implements ListBody {
    /** The depth of items below the list and its array. */
    private static final int DEPTH = 2;

    private final String items;
    private final UnaryOperator<ObjectNode> head;
    private final UnaryOperator<ObjectNode> shown;
    private final boolean indented;
    private final boolean nilIfEmpty;
    private boolean empty = true;

    JsonList(
            String items,
            UnaryOperator<ObjectNode> head,
            UnaryOperator<ObjectNode> shown,
            boolean indented,
            boolean nilIfEmpty) {
        this.items = items;
        this.head = head;
        this.shown = shown;
        this.indented = indented;
        this.nilIfEmpty = nilIfEmpty;
    }

    @Override
    public boolean sizesFirst() {
        return false;
    }

    @Override
    public byte[] begin(ObjectNode list, long itemBytes) {
        ObjectNode without = head.apply(list).deepCopy();
        without.putArray(items);
        byte[] json = Json.write(without);
        String closing = indented ? "[]\n}" : "[]}";
        byte[] whole = indented ? IndentedJson.of(json, 0) : json;
        return Arrays.copyOf(whole, whole.length - closing.length());
    }

    @Override
    public byte[] item(ObjectNode object, boolean first) {
        byte[] json = Json.write(shown.apply(object));
        String mark = first ? "[" : ",";
        byte[] before = bytes(indented ? mark + "\n" + "  ".repeat(DEPTH) : mark);
        byte[] text = indented ? IndentedJson.of(json, DEPTH) : json;
        empty = false;
        byte[] item = Arrays.copyOf(before, before.length + text.length);
        System.arraycopy(text, 0, item, before.length, text.length);
        return item;
    }

    @Override
    public byte[] end() {
        if (empty) {
            return bytes((nilIfEmpty ? "null" : "[]") + (indented ? "\n}" : "}\n"));
        }
        return bytes(indented ? "\n  ]\n}" : "]}\n");
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
