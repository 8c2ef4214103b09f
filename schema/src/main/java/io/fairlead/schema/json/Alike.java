package io.fairlead.schema.json;

import java.util.Iterator;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether two decoded values mean the same: an empty list is none (apimachinery {@code equality.Semantic}, by which kube-apiserver
 * compares an object with what it was).
 */
public final class Alike {
    private Alike() {}

    /** Whether both mean the same; what is missing is null. */
    public static boolean are(JsonNode one, JsonNode other) {
        return switch (one) {
            case ObjectNode object when other instanceof ObjectNode with -> areMemberwise(object, with);
            case ArrayNode list when other instanceof ArrayNode with -> areItemwise(list, with);
            default -> one.equals(other) || (isNothing(one) && isNothing(other));
        };
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isMissingNode() || (value.isArray() && value.isEmpty());
    }

    private static boolean areMemberwise(ObjectNode one, ObjectNode other) {
        for (Map.Entry<String, JsonNode> member : one.properties()) {
            if (!are(member.getValue(), other.path(member.getKey()))) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> member : other.properties()) {
            if (!one.has(member.getKey()) && !isNothing(member.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean areItemwise(ArrayNode one, ArrayNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        Iterator<JsonNode> with = other.iterator();
        for (JsonNode item : one) {
            if (!are(item, with.next())) {
                return false;
            }
        }
        return true;
    }
}
