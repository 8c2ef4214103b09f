package io.fairlead.fleet.exclusive;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.Contest;
import io.fairlead.index.conflicts.KeyHash;
import java.time.Instant;
import java.util.List;

/**
 * A key that several objects claim.
 *
 * @param since when that was first seen
 * @param contest of those that come first
 * @param total how many claim it
 * @param holders those that are informed, in no order
 */
public record KeyConflict(KeyHash key, Instant since, Contest contest, int total, List<ObjectKey> holders) {
    public KeyConflict {
        holders = List.copyOf(holders);
    }
}
