package io.fairlead.index;

import java.util.List;

/**
 * What a ledger did with an event.
 *
 * @param effect what changed
 * @param problems one text for each holder that was refused, naming it and the limit; to be logged once by the caller
 */
public record Outcome(Effect effect, List<String> problems) {
    /** What an event changed. */
    public enum Effect {
        /** Something that a lookup can see. */
        CHANGED,
        /** Nothing: it was known already, or it concerns another incarnation. */
        UNCHANGED,
        /** Nothing: newer evidence is held already. A complete list that is older asks for a new list, or for a new epoch. */
        STALE,
        /** Nothing: the ledger is closed. */
        CLOSED
    }

    static final Outcome UNCHANGED = new Outcome(Effect.UNCHANGED, List.of());
    static final Outcome STALE = new Outcome(Effect.STALE, List.of());
    static final Outcome CLOSED = new Outcome(Effect.CLOSED, List.of());

    public Outcome {
        problems = List.copyOf(problems);
    }
}
