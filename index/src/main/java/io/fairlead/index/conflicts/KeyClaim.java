package io.fairlead.index.conflicts;

import java.util.Comparator;

/**
 * A holder's claim to a key.
 *
 * <p>It stands as long as an output of the holder under that key may be live, even if the holder is being deleted, cannot
 * be reached, or cannot be rendered any more.
 *
 * @param isLive whether an output under the key may be live
 */
public record KeyClaim(ConflictKey key, KeyHolder holder, boolean isLive) {
    /** The first one stays: a live output, else the older holder, else the smaller uid. */
    static final Comparator<KeyClaim> PRECEDENCE = Comparator.comparing((KeyClaim claim) -> !claim.isLive())
            .thenComparing(claim -> claim.holder().created())
            .thenComparing(claim -> claim.holder().uid());
}
