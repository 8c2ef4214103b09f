package io.fairlead.fleet.exclusive;

import io.fairlead.index.conflicts.ConflictState;
import io.fairlead.index.conflicts.KeyClaim;

/**
 * A conflict as it is for one of the objects.
 *
 * @param claim of the object
 */
record ObjectConflict(KeyConflict conflict, KeyClaim claim) {
    /** Where the object stands. */
    ConflictState state() {
        return conflict.contest().state(claim);
    }

    /** Whether it is the one that stays. */
    boolean stays() {
        return conflict.contest().isIncumbent(claim.holder().uid());
    }
}
