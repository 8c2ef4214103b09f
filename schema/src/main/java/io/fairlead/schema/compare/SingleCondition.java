package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/*
 * An allOf of one schema asks for what its keywords would ask for beside it. Taken for the same are only keywords of which
 * that is certain: format, for one, is enforced by the type beside it, and null is spared by allOf but not by enum.
 */
/**
 * Two schemas of which at least one has its conditions in an {@code allOf} of one, both with the conditions in its place.
 *
 * @param before the old one, without that {@code allOf}
 * @param after the new one
 */
record SingleCondition(SchemaNode before, SchemaNode after) {
    private static final String ALL_OF = "allOf";
    private static final Set<String> MOVABLE = Set.of(
            "enum",
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "required");

    /** The two, or null where {@code allOf} is the same on both sides, or says anything else than the other side says without. */
    static @Nullable SingleCondition between(SchemaNode before, SchemaNode after) {
        if (Values.same(before.get(ALL_OF), after.get(ALL_OF))) {
            return null;
        }
        SchemaNode old = moved(before);
        SchemaNode now = moved(after);
        if (old == null || now == null) {
            return null;
        }
        boolean isSame = MOVABLE.stream().allMatch(keyword -> Values.same(old.get(keyword), now.get(keyword)));
        // A bound that no value of the type can have refuses every number, but only beside the type.
        return isSame && Bound.isSensible(old) && Bound.isSensible(now) ? new SingleCondition(old, now) : null;
    }

    private static @Nullable SchemaNode moved(SchemaNode schema) {
        if (!schema.has(ALL_OF)) {
            return schema;
        }
        boolean isTyped = schema.has("type") && !schema.is("nullable");
        if (!isTyped
                || schema.list(ALL_OF).size() != 1
                || !(schema.list(ALL_OF).getFirst() instanceof ObjectNode only)) {
            return null;
        }
        if (!MOVABLE.containsAll(only.propertyNames())
                || only.propertyNames().stream().anyMatch(name -> isSaid(schema, name))) {
            return null;
        }
        ObjectNode moved = Json.object();
        schema.tree().properties().forEach(keyword -> moved.set(keyword.getKey(), keyword.getValue()));
        moved.remove(ALL_OF);
        only.properties().forEach(condition -> moved.set(condition.getKey(), condition.getValue()));
        return new SchemaNode(moved);
    }

    /** Whether a schema says something that would meet the keyword, which for bounds is their flag too. */
    private static boolean isSaid(SchemaNode schema, String keyword) {
        return switch (keyword) {
            case "minimum", "exclusiveMinimum" -> schema.has("minimum") || schema.has("exclusiveMinimum");
            case "maximum", "exclusiveMaximum" -> schema.has("maximum") || schema.has("exclusiveMaximum");
            default -> schema.has(keyword);
        };
    }
}
