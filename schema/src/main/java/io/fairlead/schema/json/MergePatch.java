package io.fairlead.schema.json;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON merge patch (RFC 7396), as kube-apiserver applies it to objects. */
public final class MergePatch {
    private MergePatch() {}

    /**
     * The target with the patch merged in; neither is changed.
     *
     * @throws StatusException 400 if the patch is not an object
     */
    public static ObjectNode apply(ObjectNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode members)) {
            throw new StatusException(Status.badRequest(
                    patch.isArray() ? "the patch leaves no object" : "Invalid JSON Patch")); // as evanphx/json-patch
        }
        ObjectNode result = target.deepCopy();
        merge(result, members);
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> member : patch.properties()) {
            String name = member.getKey();
            JsonNode value = member.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode nested && target.get(name) instanceof ObjectNode current) {
                merge(current, nested);
            } else {
                target.set(name, withoutNullMembers(value));
            }
        }
    }

    /** A copy without null members, in arrays too: the library behind kube-apiserver goes further there than the RFC. */
    private static JsonNode withoutNullMembers(JsonNode value) {
        JsonNode copy = value.deepCopy();
        prune(copy);
        return copy;
    }

    private static void prune(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        node.values().forEach(MergePatch::prune);
    }
}
