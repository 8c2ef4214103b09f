package io.fairlead.index.conflicts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Where a holder stands, and with whom it is in conflict.
 *
 * @param conflicts ordered by key; those of a holder that stays are among them
 */
public record Standing(ConflictState state, List<Conflict> conflicts) {
    /** Of a holder whose keys are not known: never "no conflict". */
    public static final Standing EVALUATING = new Standing(ConflictState.EVALUATING, List.of());

    public Standing {
        conflicts = List.copyOf(conflicts);
    }

    /**
     * A key that others claim too.
     *
     * @param state where the holder stands with it
     * @param peers the other holders, first those that stay before others
     */
    public record Conflict(ConflictKey key, ConflictState state, List<Peer> peers) {
        public Conflict {
            peers = List.copyOf(peers);
        }
    }

    /** Another holder of a key. */
    public record Peer(String name, String uid, Role role) {}

    /** Whether a holder stays. */
    public enum Role {
        INCUMBENT,
        CHALLENGER
    }

    /** Of a holder with these claims. */
    static Standing of(Collection<KeyClaim> claims, Candidates candidates) {
        ConflictState state = ConflictState.HELD;
        List<Conflict> conflicts = new ArrayList<>();
        for (KeyClaim claim : claims) {
            Contest contest = candidates.of(claim.key());
            if (contest.isConflict()) {
                state = state.and(contest.state(claim));
                conflicts.add(new Conflict(claim.key(), contest.state(claim), peers(claim.holder(), contest)));
            }
        }
        conflicts.sort(Comparator.comparing(Conflict::key));
        return new Standing(state, conflicts);
    }

    private static List<Peer> peers(KeyHolder holder, Contest contest) {
        List<Peer> peers = new ArrayList<>();
        for (KeyClaim claim : contest.claims()) {
            KeyHolder other = claim.holder();
            if (!other.uid().equals(holder.uid())) {
                peers.add(new Peer(
                        other.name(),
                        other.uid(),
                        contest.isIncumbent(other.uid()) ? Role.INCUMBENT : Role.CHALLENGER));
            }
        }
        return peers;
    }
}
