package io.fairlead.fleet.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads what an object says of its conditions, and who wrote that. */
final class ConditionReader {
    private static final String OWNED = "/fieldsV1/f:status/f:conditions";
    private static final String KEY = "k:";

    private ConditionReader() {}

    /** The claims of some types of conditions; of several of one type the first counts. */
    static Map<String, ConditionClaim> claims(JsonNode object, List<String> types) {
        Map<String, ConditionClaim> claims = new HashMap<>();
        for (JsonNode condition : object.at("/status/conditions").values()) {
            String type = condition.path("type").asString("");
            if (types.contains(type) && !claims.containsKey(type)) {
                claims.put(
                        type,
                        new ConditionClaim(
                                condition.path("status").asString(""),
                                condition.path("lastTransitionTime").asString(""),
                                object.at("/metadata/resourceVersion").asString(""),
                                manager(object, type)));
            }
        }
        return claims;
    }

    /** Of the managers of the condition's status, the one that wrote last. */
    private static String manager(JsonNode object, String type) {
        String manager = "";
        String time = "";
        for (JsonNode entry : object.at("/metadata/managedFields").values()) {
            String wrote = entry.path("time").asString("");
            if (wrote.compareTo(time) >= 0 && owns(entry.at(OWNED), type)) {
                manager = entry.path("manager").asString("");
                time = wrote;
            }
        }
        return manager;
    }

    /** A condition's fields have its keys for a name, as {@code k:{"type":"Ready"}}; an atomic list has no fields. */
    private static boolean owns(JsonNode fields, String type) {
        if (fields.isObject() && fields.isEmpty()) {
            return true;
        }
        for (Map.Entry<String, JsonNode> field : fields.properties()) {
            if (field.getKey().startsWith(KEY)
                    && field.getValue().has("f:status")
                    && type(field.getKey().substring(KEY.length())).equals(type)) {
                return true;
            }
        }
        return false;
    }

    private static String type(String keys) {
        try {
            return Json.read(keys.getBytes(UTF_8)).path("type").asString("");
        } catch (UnreadableDocumentException unreadable) {
            return "";
        }
    }
}
