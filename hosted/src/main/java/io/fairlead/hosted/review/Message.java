package io.fairlead.hosted.review;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an API type as far as reviews need them: their names in JSON and their numbers in protobuf.
 *
 * @param fields the fields by name
 */
record Message(Map<String, Field> fields) {
    private static final String RESOURCE = "messages.txt";
    private static final Map<String, Message> ALL = readAll();

    /** A message that the resource describes. */
    static Message named(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }

    /** The field with a number, or null if there is none. */
    @Nullable
    Field field(int number) {
        for (Field field : fields.values()) {
            if (field.number == number) {
                return field;
            }
        }
        return null;
    }

    /**
     * A field.
     *
     * @param message the message that it holds, empty if it holds text
     */
    record Field(String name, int number, Shape shape, String message) {}

    /** What a field holds. */
    enum Shape {
        SINGLE,
        LIST,
        /** A map from texts to lists of texts. */
        MAP,
        /** Anything; what the server fills in itself. */
        IGNORED
    }

    private static Map<String, Message> readAll() {
        try (InputStream in = Objects.requireNonNull(Message.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            Map<String, Message> messages = new HashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> addMessage(messages, line.split(" ", -1)));
            return Map.copyOf(messages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addMessage(Map<String, Message> messages, String[] words) {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            Field field = field(words[i].split(":", 3));
            fields.put(field.name, field);
        }
        messages.put(words[0], new Message(fields));
    }

    private static Field field(String[] parts) {
        String type = parts.length < 3 ? "" : parts[2];
        int number = Integer.parseInt(parts[1]);
        return switch (type) {
            case "map" -> new Field(parts[0], number, Shape.MAP, "");
            case "Ignored" -> new Field(parts[0], number, Shape.IGNORED, "");
            default ->
                type.startsWith("[]")
                        ? new Field(parts[0], number, Shape.LIST, type.substring(2))
                        : new Field(parts[0], number, Shape.SINGLE, type);
        };
    }
}
