package io.fairlead.hosted.meta;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An object's {@code metadata}; absent fields read as empty. */
public final class Meta {
    private Meta() {}

    /** The metadata; created if absent. */
    public static ObjectNode of(ObjectNode object) {
        return object.get("metadata") instanceof ObjectNode metadata ? metadata : object.putObject("metadata");
    }

    public static String name(ObjectNode object) {
        return text(object, "name");
    }

    public static String namespace(ObjectNode object) {
        return text(object, "namespace");
    }

    public static String uid(ObjectNode object) {
        return text(object, "uid");
    }

    public static String resourceVersion(ObjectNode object) {
        return text(object, "resourceVersion");
    }

    public static long generation(ObjectNode object) {
        return object.path("metadata").path("generation").asLong(0);
    }

    /** Whether its deletion has begun. */
    public static boolean isTerminating(JsonNode object) {
        return object.path("metadata").path("deletionTimestamp").isString();
    }

    public static List<String> finalizers(JsonNode object) {
        return strings(object.path("metadata").path("finalizers"));
    }

    public static Map<String, String> labels(JsonNode object) {
        return stringMap(object.path("metadata").path("labels"));
    }

    public static Map<String, String> annotations(JsonNode object) {
        return stringMap(object.path("metadata").path("annotations"));
    }

    /** A time as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>(array.size());
        array.values().forEach(element -> texts.add(element.asString("")));
        return texts;
    }

    /** Sets a list of strings, or removes the member if the list is empty. */
    public static void setStrings(ObjectNode object, String member, List<String> texts) {
        if (texts.isEmpty()) {
            object.remove(member);
            return;
        }
        ArrayNode array = object.putArray(member);
        texts.forEach(array::add);
    }

    private static String text(ObjectNode object, String member) {
        return object.path("metadata").path(member).asString("");
    }

    private static Map<String, String> stringMap(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(member -> texts.put(member.getKey(), member.getValue().asString("")));
        return texts;
    }
}
