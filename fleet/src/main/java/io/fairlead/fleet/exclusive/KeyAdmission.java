package io.fairlead.fleet.exclusive;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.CommitHook;
import io.fairlead.model.ClusterName;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the rules that deny about each object which a hosted cluster is about to store. Until {@link ExclusiveKeys} has
 * started, which is before any client can connect, there are none.
 *
 * <p>Threads: any.
 */
public final class KeyAdmission implements CommitHook {
    private final Set<WriteUnderWay> underWay = ConcurrentHashMap.newKeySet();
    private volatile @Nullable KeyDenial denial;

    /** From now on these rules are asked. */
    void by(KeyDenial rules) {
        denial = rules;
    }

    /** The writes to a cluster that are under way and that a rule has not been asked about: they began before it was there. */
    Set<WriteUnderWay> unasked(Exclusion rule, ClusterName cluster) {
        return underWay.stream()
                .filter(write -> write.isUnasked(rule, cluster))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Whether there is none any more among these. */
    boolean haveEnded(Set<WriteUnderWay> writes, Exclusion rule, ClusterName cluster) {
        writes.removeIf(write -> !underWay.contains(write) || !write.isUnasked(rule, cluster));
        return writes.isEmpty();
    }

    @Override
    public Pending before(ClusterName cluster, AdmissionHook.Review write) {
        if (KeyReservationKind.KEY_RESERVATIONS
                .groupResource()
                .equals(write.type().groupResource())) {
            return Pending.NONE; // a write inside of another one
        }
        WriteUnderWay token = new WriteUnderWay(cluster, write.type().groupResource());
        underWay.add(token); // before the rules are read, so that their controller sees it
        boolean isRefused = true;
        try {
            KeyDenial rules = denial;
            Pending claims = rules == null ? Pending.NONE : rules.claim(cluster, write, token);
            isRefused = false;
            return pending(token, claims);
        } finally {
            if (isRefused) {
                underWay.remove(token);
            }
        }
    }

    private Pending pending(WriteUnderWay token, Pending claims) {
        return new Pending() {
            @Override
            public void committed() {
                claims.committed();
            }

            @Override
            public void close() {
                try {
                    claims.close();
                } finally {
                    underWay.remove(token);
                }
            }
        };
    }
}
