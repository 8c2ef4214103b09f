package io.fairlead.schema.managed;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Managed fields brought in line with a type that has changed since they were recorded: of what is managed as a whole now, the
 * fields below become the whole (structured-merge-diff {@code typed/reconcile_schema.go}). Fields of what is managed in parts
 * now, and was managed as a whole, stay as they are: they name the whole, which is managed until another manager changes a part.
 */
final class Reconciliation {
    private Reconciliation() {}

    /** The set in line with a type; the same one if it is already. */
    static FieldSet reconcile(ManagedType type, FieldSet set) {
        FieldSet wholes = new FieldSet();
        find(type, set, wholes);
        wholes.compact();
        return wholes.isEmpty() ? set : set.without(wholes).union(wholes);
    }

    private static void find(@Nullable ManagedType type, FieldSet set, FieldSet wholes) {
        if (type == null) {
            return;
        }
        boolean inside = set.elements().iterator().hasNext();
        if (!inside) {
            return;
        }
        ManagedType.Members members = type.members();
        ManagedType.Items items = type.items();
        if (members != null) {
            if (members.deduced()) {
                return;
            }
            if (members.atomic()) {
                wholes.insert();
                return;
            }
            for (Map.Entry<PathElement, FieldSet> field : set.elements()) {
                if (field.getKey() instanceof PathElement.Member(String name)) {
                    find(members.type(name), field.getValue(), wholes.at(field.getKey()));
                }
            }
        } else if (items != null) {
            if (!items.associative()) {
                wholes.insert();
                return;
            }
            for (Map.Entry<PathElement, FieldSet> field : set.elements()) {
                find(items.type(), field.getValue(), wholes.at(field.getKey()));
            }
        }
    }
}
