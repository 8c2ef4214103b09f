package io.fairlead.fleet.conflicts;

import io.fairlead.index.conflicts.KeyHolder;
import java.util.Comparator;

/**
 * A registration with what is known of its cluster. Immutable.
 *
 * @param record what survives a restart
 */
record Registered(Registrant registrant, IdentityRecord record) {
    /** First those that may be serving, then the older, then those with the smaller uid: as claims are ordered. */
    static final Comparator<Registered> PRECEDENCE = Comparator.comparing(
                    (Registered one) -> !one.record().holds())
            .thenComparing(one -> one.holder().created())
            .thenComparing(one -> one.holder().uid());

    /**
     * The same after another observation. What leads back to Fairlead is not followed before an answer says otherwise: it
     * would be attached at each new beginning of its checks.
     */
    Registered observed(Registrant observation) {
        boolean isStillSelf =
                observation.observed().isPending() && registrant.observed().isSelf();
        Registrant now = isStillSelf ? observation.with(registrant.observed()) : observation;
        IdentityRecord next = now.observed().isSelf()
                ? record.withoutCluster()
                : now.observed().fingerprint().map(record::with).orElse(record);
        boolean isConfirmed = next.isMoved() && now.confirmedUid().equals(next.uid());
        return new Registered(now, isConfirmed ? next.confirmed() : next);
    }

    Registered with(IdentityRecord other) {
        return new Registered(registrant, other);
    }

    KeyHolder holder() {
        return registrant.holder();
    }

    String name() {
        return registrant.name();
    }

    String uid() {
        return registrant.uid();
    }
}
