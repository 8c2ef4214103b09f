package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Alike;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A spec of which updates may change only some fields.
 *
 * @param changeable these fields; a list's name stands for itself, and {@code list[].field} for a field of its items
 * @param detail what a refusal says
 */
record FrozenSpec(List<String> changeable, String detail) {
    private static final String ITEMS = "[].";

    /** As a kind's entry says it; null if it says nothing. */
    static @Nullable FrozenSpec of(JsonNode description) {
        return description.isMissingNode()
                ? null
                : new FrozenSpec(
                        Meta.strings(description.path("but")),
                        description.path("detail").stringValue());
    }

    void check(JsonNode spec, JsonNode old, FieldErrors errors) {
        if (!Alike.are(fixed(spec), fixed(old))) {
            errors.forbidden(FieldPath.of("spec"), detail);
        }
    }

    private JsonNode fixed(JsonNode spec) {
        JsonNode fixed = spec.deepCopy();
        for (String path : changeable) {
            int items = path.indexOf(ITEMS);
            if (items < 0) {
                remove(fixed, path);
            } else {
                String member = path.substring(items + ITEMS.length());
                fixed.path(path.substring(0, items)).forEach(item -> remove(item, member));
            }
        }
        return fixed;
    }

    private static void remove(JsonNode from, String member) {
        if (from instanceof ObjectNode object) {
            object.remove(member);
        }
    }
}
