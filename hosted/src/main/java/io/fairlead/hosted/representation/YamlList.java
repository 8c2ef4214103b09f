package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** A list in YAML with sorted members: some before the items, some after. */
final class YamlList implements ListBody {
    private final String items;
    private final UnaryOperator<ObjectNode> head;
    private final UnaryOperator<ObjectNode> shown;
    private final boolean nilIfEmpty;
    private ObjectNode behind = Json.object();
    private boolean empty = true;

    YamlList(String items, UnaryOperator<ObjectNode> head, UnaryOperator<ObjectNode> shown, boolean nilIfEmpty) {
        this.items = items;
        this.head = head;
        this.shown = shown;
        this.nilIfEmpty = nilIfEmpty;
    }

    @Override
    public boolean sizesFirst() {
        return false;
    }

    @Override
    public byte[] begin(ObjectNode list, long itemBytes) {
        ObjectNode members = head.apply(list);
        behind = part(members, name -> name.compareTo(items) > 0);
        return utf8(text(part(members, name -> name.compareTo(items) < 0)) + items + ":");
    }

    @Override
    public byte[] item(ObjectNode object, boolean first) {
        String text = YamlText.element(shown.apply(object));
        String item = first ? "\n" + text : text;
        empty = false;
        return utf8(item);
    }

    @Override
    public byte[] end() {
        return utf8((empty ? nilIfEmpty ? " null\n" : " []\n" : "") + text(behind));
    }

    private static ObjectNode part(ObjectNode members, Predicate<String> which) {
        ObjectNode part = Json.object();
        members.forEachEntry((name, value) -> {
            if (which.test(name)) {
                part.set(name, value);
            }
        });
        return part;
    }

    private static String text(ObjectNode members) {
        return members.isEmpty() ? "" : YamlText.of(members);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
