package io.fairlead.schema.compare;

import java.math.BigDecimal;
import java.util.Set;

/** Whether an object or list has a size that an old schema takes and a new one does not. */
final class Sizes {
    static final Set<String> BOUNDED_BY = Set.of("minItems", "maxItems", "minProperties", "maxProperties");

    private Sizes() {}

    /** Whether the new, stricter bound refuses some value; false if unknown. */
    static boolean tell(SchemaNode before, SchemaNode after, Bound bound) {
        BigDecimal now = after.number(bound.keyword());
        if (now == null || before.hasJunctors() || before.has("enum")) {
            return false;
        }
        return switch (bound.keyword()) {
            case "minItems" -> ValueType.of(before).contains(ValueType.ARRAY) && isAtMost(before, "maxItems", now);
            case "maxItems" -> ValueType.of(before).contains(ValueType.ARRAY) && isEndless(before);
            case "minProperties" -> isObject(before) && alwaysThere(before) < now.longValue();
            case "maxProperties" -> isObject(before) && mayHaveMore(before, now.longValue());
            default -> false;
        };
    }

    /** The old bound on the other side does not ask for the very sizes that the new bound leaves. */
    private static boolean isAtMost(SchemaNode before, String most, BigDecimal least) {
        BigDecimal old = before.number(most);
        BigDecimal minItems = before.number("minItems");
        return least.signum() > 0 && (old == null || minItems == null || minItems.compareTo(old) <= 0);
    }

    /** Lists of different elements end where there are no more different ones. */
    private static boolean isEndless(SchemaNode before) {
        SchemaNode items = before.child("items");
        boolean isFew = items == null || items.has("enum") || items.text("type").equals("boolean");
        return before.text("x-kubernetes-list-type").isEmpty() || !isFew;
    }

    private static boolean isObject(SchemaNode before) {
        return before.text("type").equals("object") && !before.is(SchemaNode.EMBEDDED);
    }

    private static long alwaysThere(SchemaNode before) {
        Set<String> required = before.required();
        return before.properties().entrySet().stream()
                        .filter(property -> required.contains(property.getKey())
                                || property.getValue().has("default"))
                        .count()
                + required.stream()
                        .filter(name -> before.property(name) == null)
                        .count();
    }

    private static boolean mayHaveMore(SchemaNode before, long most) {
        return before.others(false) == SchemaNode.Others.PRUNED
                ? before.properties().size() > most
                : before.others(false) != SchemaNode.Others.ODD;
    }
}
