package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.structural.SchemaTypes;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.typed.TypedDecoder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Two root schemas as a hosted cluster applies them. */
final class Reality {
    private final StructuralSchema before;
    private final StructuralSchema after;

    Reality(JsonNode before, JsonNode after) {
        this.before = compiled(before);
        this.after = compiled(after);
    }

    private static StructuralSchema compiled(JsonNode schema) {
        JsonNode tree = Json.read(schema.toString());
        TypedDecoder.Decoded decoded = TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, tree, "", false);
        if (decoded.problem() != null) {
            throw new AssertionError(decoded.problem());
        }
        return StructuralSchema.of(decoded.tree());
    }

    boolean isAtHomeBefore(ObjectNode object) {
        return read(before, object) != null;
    }

    /** Whether an object is at home in the old schema, and not in the new one or read otherwise there. */
    boolean tellsApart(ObjectNode object) {
        ObjectNode old = read(before, object);
        return old != null && !old.equals(read(after, object));
    }

    /** What is read of an object, null if it is refused or something is dropped of it. */
    private static @Nullable ObjectNode read(StructuralSchema schema, ObjectNode object) {
        ObjectNode read = object.deepCopy();
        StructuralSchema.Reading reading = schema.read(read, false);
        boolean isWhole =
                reading.unknownFields().isEmpty() && reading.problems().isEmpty() && keeps(read, object);
        return isWhole && schema.validate(read).isEmpty() ? read : null;
    }

    /** Whether all of what was written is there; a null may have become a default. */
    private static boolean keeps(@Nullable JsonNode read, JsonNode written) {
        return switch (written) {
            case ObjectNode object ->
                read instanceof ObjectNode other
                        && object.properties().stream()
                                .allMatch(member -> keeps(other.get(member.getKey()), member.getValue()));
            case ArrayNode array -> read instanceof ArrayNode other && keepsAll(other, array);
            default -> read != null && (written.isNull() || read.equals(written));
        };
    }

    private static boolean keepsAll(ArrayNode read, ArrayNode written) {
        boolean isWhole = read.size() == written.size();
        for (int i = 0; isWhole && i < written.size(); i++) {
            isWhole = keeps(read.get(i), written.get(i));
        }
        return isWhole;
    }
}
