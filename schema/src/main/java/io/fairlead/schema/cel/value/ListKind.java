package io.fairlead.schema.cel.value;

import java.util.List;

/** How the elements of a list belong together ({@code x-kubernetes-list-type}). */
public sealed interface ListKind {
    /** In their order. */
    ListKind ATOMIC = new Atomic();

    /** In any order, each once. */
    ListKind SET = new AnySet();

    /** See {@link #ATOMIC}. */
    record Atomic() implements ListKind {}

    /** See {@link #SET}. */
    record AnySet() implements ListKind {}

    /**
     * In any order, each key once.
     *
     * @param names the fields of the key, escaped
     */
    record Keyed(List<String> names) implements ListKind {
        /** Copies the names. */
        public Keyed {
            names = List.copyOf(names);
        }
    }
}
