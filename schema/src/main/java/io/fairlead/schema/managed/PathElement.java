package io.fairlead.schema.managed;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One step of a path: a member, an item of a list map by its keys, an item of a set by its value, or an item by its index.
 * Elements that compare as equal are the same step: {@code 1} and {@code 1.0} are.
 *
 * <p>{@link #text()} is the form in {@code fieldsV1}, {@code toString()} that of messages.
 */
sealed interface PathElement extends Comparable<PathElement> {
    /** The form in {@code fieldsV1}. */
    default String text() {
        return switch (this) {
            case Member(String name) -> "f:" + name;
            case Keyed(var keys) -> "k:" + Json.text(Json.object().setAll(keys));
            case Valued(JsonNode value) -> "v:" + Json.text(value);
            case Indexed(int index) -> "i:" + index;
        };
    }

    /** In the order of upstream: members, then items by keys, by value, by index. */
    @Override
    default int compareTo(PathElement other) {
        return switch (this) {
            case Member(String name) when other instanceof Member(String otherName) -> name.compareTo(otherName);
            case Keyed(var keys) when other instanceof Keyed(var otherKeys) -> ValueOrder.compare(keys, otherKeys);
            case Valued(var value)
            when other instanceof Valued(var otherValue) -> ValueOrder.compare(value, otherValue);
            case Indexed(int index) when other instanceof Indexed(int otherIndex) -> Integer.compare(index, otherIndex);
            default -> Integer.compare(rank(), other.rank());
        };
    }

    private int rank() {
        return switch (this) {
            case Member _ -> 0;
            case Keyed _ -> 1;
            case Valued _ -> 2;
            case Indexed _ -> 3;
        };
    }

    /**
     * Reads the form of {@code fieldsV1}; empty for an element of a kind that is not known here.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    static Optional<PathElement> read(String text) {
        if (text.length() < 2 || text.charAt(1) != ':') {
            throw new IllegalArgumentException(
                    "path element \"" + text + "\" (expected a letter, a colon and a value)");
        }
        String content = text.substring(2);
        try {
            return switch (text.charAt(0)) {
                case 'f' -> Optional.of(new Member(content));
                case 'k' -> Optional.of(keyed(content));
                case 'v' -> Optional.of(new Valued(Json.read(content)));
                case 'i' -> Optional.of(new Indexed(Integer.parseInt(content)));
                default -> Optional.empty();
            };
        } catch (UnreadableDocumentException | NumberFormatException e) {
            throw new IllegalArgumentException("path element \"" + text + "\": " + e.getMessage(), e);
        }
    }

    private static Keyed keyed(String content) {
        if (!(Json.read(content) instanceof ObjectNode object)) {
            throw new IllegalArgumentException("path element \"k:" + content + "\" (expected an object)");
        }
        NavigableMap<String, JsonNode> keys = new TreeMap<>();
        object.forEachEntry(keys::put);
        return new Keyed(keys);
    }

    /** A member of an object. */
    record Member(String name) implements PathElement {
        @Override
        public String toString() {
            return "." + name;
        }
    }

    /** An item of a list map. */
    record Keyed(NavigableMap<String, JsonNode> keys) implements PathElement {
        @Override
        public String toString() {
            return keys.entrySet().stream()
                    .map(key -> key.getKey() + "=" + shown(key.getValue()))
                    .collect(Collectors.joining(",", "[", "]"));
        }
    }

    /** An item of a set. */
    record Valued(JsonNode value) implements PathElement {
        @Override
        public String toString() {
            return "[=" + shown(value) + "]";
        }
    }

    /** An item by its place. */
    record Indexed(int index) implements PathElement {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    private static String shown(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> value.valueStream().map(PathElement::shown).collect(Collectors.joining(",", "[", "]"));
            case OBJECT ->
                value.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(member -> member.getKey() + "=" + shown(member.getValue()))
                        .collect(Collectors.joining());
            default -> GoText.value(value);
        };
    }
}
