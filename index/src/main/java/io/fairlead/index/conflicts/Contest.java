package io.fairlead.index.conflicts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * All claims to one key, and who stays. Immutable.
 *
 * <p>With {@link ConflictPolicy#INCUMBENT_STAYS} a live claim is before all others: the holder that stays
 * has a live output already, or none has one, and its outputs never meet those of another one.
 */
public final class Contest {
    private final ConflictPolicy policy;

    /** In order of precedence. */
    private final List<KeyClaim> claims;

    private Contest(ConflictPolicy policy, List<KeyClaim> sorted) {
        this.policy = policy;
        this.claims = sorted;
    }

    /** Of the claims to one key, at most one of each holder. */
    public static Contest of(ConflictPolicy policy, Collection<KeyClaim> claims) {
        return new Contest(policy, claims.stream().sorted(KeyClaim.PRECEDENCE).toList());
    }

    /** The same with another claim of a holder, or with its first one. */
    Contest with(KeyClaim claim) {
        List<KeyClaim> now = others(claim.holder().uid());
        now.add(claim);
        return of(policy, now);
    }

    /** The same without a holder. */
    Contest without(String uid) {
        return new Contest(policy, others(uid));
    }

    private List<KeyClaim> others(String uid) {
        List<KeyClaim> others = new ArrayList<>(claims.size() + 1);
        for (KeyClaim claim : claims) {
            if (!claim.holder().uid().equals(uid)) {
                others.add(claim);
            }
        }
        return others;
    }

    /** The claims, first those that stay before others. */
    public List<KeyClaim> claims() {
        return claims;
    }

    /** Whether several holders claim the key. */
    public boolean isConflict() {
        return claims.size() > 1;
    }

    /** Whether a holder is the one that stays. */
    public boolean isIncumbent(String uid) {
        return policy == ConflictPolicy.INCUMBENT_STAYS
                && !claims.isEmpty()
                && claims.getFirst().holder().uid().equals(uid);
    }

    /** Where a claim of this contest stands. */
    public ConflictState state(KeyClaim claim) {
        if (!isConflict() || isIncumbent(claim.holder().uid())) {
            return ConflictState.HELD;
        }
        return claim.isLive() ? ConflictState.WITHDRAWING : ConflictState.CONFLICT;
    }
}
