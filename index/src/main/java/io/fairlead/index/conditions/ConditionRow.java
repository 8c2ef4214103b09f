package io.fairlead.index.conditions;

import java.time.Instant;

/**
 * A row of a time line.
 *
 * @param observed when Fairlead observed it
 */
public record ConditionRow(Instant observed, ConditionVerdict verdict, ConditionClaim claim) {
    /** The record, its claim, their references and the headers of four texts; measured generously. */
    private static final int BYTES = 320;

    /** About what it takes of the heap. */
    int bytes() {
        return BYTES
                + claim.status().length()
                + claim.stated().length()
                + claim.resourceVersion().length()
                + claim.manager().length();
    }
}
