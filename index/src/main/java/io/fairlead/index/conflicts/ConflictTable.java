package io.fairlead.index.conflicts;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All claims, indexed by key. A change evaluates only the keys that it touches.
 *
 * <p>Threads: one at a time; the owner guards it.
 */
public final class ConflictTable implements Candidates {
    private final ConflictPolicy policy;
    private final Map<ConflictKey, Contest> contests = new HashMap<>();
    private final Map<String, List<KeyClaim>> claims = new HashMap<>();

    public ConflictTable(ConflictPolicy policy) {
        this.policy = policy;
    }

    /**
     * Sets all claims of a holder, at most one to each key; none means that it is known to claim nothing.
     *
     * @return the uids of the holders that may stand otherwise by that
     */
    public Set<String> put(String uid, Collection<KeyClaim> now) {
        List<KeyClaim> before = claims.getOrDefault(uid, List.of());
        List<KeyClaim> after = List.copyOf(now);
        claims.put(uid, after);
        if (before.equals(after)) {
            return Set.of();
        }
        Set<String> concerned = new HashSet<>(Set.of(uid));
        for (KeyClaim claim : before) {
            if (after.stream().noneMatch(other -> other.key().equals(claim.key()))) {
                replace(claim.key(), of(claim.key()).without(uid), concerned);
            }
        }
        for (KeyClaim claim : after) {
            replace(claim.key(), of(claim.key()).with(claim), concerned);
        }
        return concerned;
    }

    /** Removes a holder, of which no output is left; returns as {@link #put}. */
    public Set<String> remove(String uid) {
        Set<String> concerned = put(uid, List.of());
        claims.remove(uid);
        return concerned;
    }

    /** Where a holder stands; that its keys are not known if it was never put. */
    public Standing standing(String uid) {
        List<KeyClaim> own = claims.get(uid);
        return own == null ? Standing.EVALUATING : Standing.of(own, this);
    }

    /** The contest for a key, without claims if there are none. */
    @Override
    public Contest of(ConflictKey key) {
        Contest contest = contests.get(key);
        return contest == null ? Contest.of(policy, List.of()) : contest;
    }

    private void replace(ConflictKey key, Contest contest, Set<String> concerned) {
        contest.claims().forEach(claim -> concerned.add(claim.holder().uid()));
        if (contest.claims().isEmpty()) {
            contests.remove(key);
        } else {
            contests.put(key, contest);
        }
    }
}
