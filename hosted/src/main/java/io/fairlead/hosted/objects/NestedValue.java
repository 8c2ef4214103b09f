package io.fairlead.hosted.objects;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What stands at a path of an object, as apimachinery looks for it ({@code apis/meta/v1/unstructured/helpers.go}).
 *
 * @param value missing if nothing stands there
 * @param problem why it cannot be read; null if it can
 */
record NestedValue(JsonNode value, @Nullable String problem) {
    /** Nothing. */
    static final NestedValue NONE = new NestedValue(Json.nodes().missingNode(), null);

    private static final int SHOWN_MAX = 256;

    /** An integer of 64 bits. */
    static NestedValue integer(JsonNode object, List<String> path) {
        return of(object, path, "int64");
    }

    static NestedValue text(JsonNode object, List<String> path) {
        return of(object, path, "string");
    }

    /** Whether it stands there. */
    boolean isFound() {
        return problem == null && !value.isMissingNode();
    }

    private static NestedValue of(JsonNode object, List<String> path, String expected) {
        JsonNode at = object;
        for (int i = 0; i < path.size(); i++) {
            if (at.isNull() || at.isMissingNode()) {
                return NONE;
            }
            if (!at.isObject()) {
                return wrong(path.subList(0, i + 1), at, "map[string]interface{}");
            }
            at = at.path(path.get(i));
        }
        return at.isMissingNode() || GoText.kind(at).equals(expected)
                ? new NestedValue(at, null)
                : wrong(path, at, expected);
    }

    private static NestedValue wrong(List<String> path, JsonNode value, String expected) {
        String shown = GoText.plain(value);
        String kind = value.isNull() ? "<nil>" : GoText.kind(value);
        return new NestedValue(
                NONE.value(),
                "." + String.join(".", path) + " accessor error: "
                        + (shown.length() > SHOWN_MAX ? shown.substring(0, SHOWN_MAX) + "..." : shown)
                        + " is of the type " + kind + ", expected " + expected);
    }
}
