package io.fairlead.index;

import java.util.List;

/**
 * The result of an event.
 *
 * @param effect the change
 * @param problems one text for each refused holder, naming it and the limit; the caller must log it once
 */
public record Outcome(Effect effect, List<String> problems) {
    /** The change by an event. */
    public enum Effect {
        /** A change that a lookup can see. */
        CHANGED,
        /** None: the event was known already, or is about another incarnation. */
        UNCHANGED,
        /** None: newer evidence is present already. An older complete list requires a new list, or a new epoch. */
        STALE,
        /** None: the ledger is closed. */
        CLOSED
    }

    static final Outcome UNCHANGED = new Outcome(Effect.UNCHANGED, List.of());
    static final Outcome STALE = new Outcome(Effect.STALE, List.of());
    static final Outcome CLOSED = new Outcome(Effect.CLOSED, List.of());

    public Outcome {
        problems = List.copyOf(problems);
    }
}
