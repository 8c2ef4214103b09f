package io.fairlead.fleet.root;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code metadata.finalizers} of an object. */
public final class Finalizers {
    private Finalizers() {}

    /** Whether an object has one. */
    public static boolean has(JsonNode object, String name) {
        return names(object).contains(name);
    }

    /** Adds one to an object, or removes it. */
    public static void set(ObjectNode object, String name, boolean wanted) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        List<String> finalizers = names(object);
        boolean has = finalizers.remove(name);
        if (has == wanted) {
            return;
        }
        if (wanted) {
            finalizers.add(name);
        }
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            ArrayNode array = metadata.putArray("finalizers");
            finalizers.forEach(array::add);
        }
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.at("/metadata/finalizers").values().forEach(name -> names.add(name.asString("")));
        return names;
    }
}
