package io.fairlead.fleet.conflicts;

/** Counts conflicts that holders come into, and those that end for them. Called under a lock; must not block. */
public interface ConflictTransitions {
    ConflictTransitions NONE = new ConflictTransitions() {};

    /** A holder is in conflict about a key of a kind. */
    default void began(String kind) {}

    /** It is not any more. */
    default void resolved(String kind) {}
}
