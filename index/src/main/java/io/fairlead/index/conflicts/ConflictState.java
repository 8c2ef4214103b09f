package io.fairlead.index.conflicts;

/**
 * Where a holder stands with its keys.
 *
 * <pre>
 * EVALUATING ──► HELD          its keys are known, and it may have its outputs
 * EVALUATING ──► CONFLICT      another one stays, and it has no output
 * HELD       ──► WITHDRAWING   another one stays, and its outputs may be live
 * WITHDRAWING ─► CONFLICT      its outputs are observed to be gone
 * CONFLICT   ──► HELD          the other ones are gone, with their outputs
 * </pre>
 */
public enum ConflictState {
    HELD,
    EVALUATING,
    WITHDRAWING,
    CONFLICT;

    /** Whether its outputs must be gone. */
    public boolean isLost() {
        return this == WITHDRAWING || this == CONFLICT;
    }

    /** The state of a holder with keys in both. */
    ConflictState and(ConflictState other) {
        if (this == WITHDRAWING || other == WITHDRAWING) {
            return WITHDRAWING;
        }
        return compareTo(other) >= 0 ? this : other;
    }
}
