package io.fairlead.hosted.review;

import io.fairlead.hosted.review.Message.Field;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a tree as a message: keeps what the message knows, tells what it does not know, refuses values of another type. */
final class TreeReader {
    private static final List<String> OF_EVERY_OBJECT = List.of("apiVersion", "kind");

    private final List<String> unknown = new ArrayList<>();

    /** The paths of the fields that no message knew. */
    List<String> unknown() {
        return unknown;
    }

    /** Reads an object; {@code metadata} is kept as it is. */
    ObjectNode read(ObjectNode tree, Message message, String path) {
        ObjectNode read = Json.object();
        for (Map.Entry<String, JsonNode> member : tree.properties()) {
            Field field = message.fields().get(member.getKey());
            String memberPath = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
            if (field != null && !member.getValue().isNull()) {
                readField(read, field, member.getValue(), memberPath);
            } else if (field == null && !(path.isEmpty() && OF_EVERY_OBJECT.contains(member.getKey()))) {
                unknown.add(memberPath);
            }
        }
        return read;
    }

    private void readField(ObjectNode read, Field field, JsonNode value, String path) {
        if (field.message().equals("ObjectMeta")) {
            read.set(field.name(), requireObject(value, path));
            return;
        }
        switch (field.shape()) {
            case SINGLE -> read.set(field.name(), single(field, value, path));
            case LIST -> read.set(field.name(), list(field, value, path));
            case MAP -> read.set(field.name(), map(field, value, path));
            case IGNORED -> {}
        }
    }

    private JsonNode single(Field field, JsonNode value, String path) {
        if (!field.message().isEmpty()) {
            return read(requireObject(value, path), Message.named(field.message()), path);
        }
        if (!value.isString()) {
            throw wrongType(path, "a string", value);
        }
        return value;
    }

    private ArrayNode list(Field field, JsonNode value, String path) {
        if (!value.isArray()) {
            throw wrongType(path, "an array", value);
        }
        ArrayNode list = Json.array();
        for (int i = 0; i < value.size(); i++) {
            list.add(single(field, value.path(i), path + "[" + i + "]"));
        }
        return list;
    }

    private ObjectNode map(Field field, JsonNode value, String path) {
        ObjectNode map = Json.object();
        for (Map.Entry<String, JsonNode> entry : requireObject(value, path).properties()) {
            map.set(entry.getKey(), list(field, entry.getValue(), path + "[" + entry.getKey() + "]"));
        }
        return map;
    }

    private static ObjectNode requireObject(JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            return object;
        }
        throw wrongType(path, "an object", value);
    }

    private static StatusException wrongType(String path, String expected, JsonNode value) {
        return new StatusException(
                Status.badRequest(path + ": cannot read " + Json.text(value) + " (expected " + expected + ")"));
    }
}
