package io.fairlead.fleet.exclusive;

import io.fairlead.hosted.CommitHook;
import java.util.ArrayList;
import java.util.List;

/** The keys that a write has reserved, and those that its object gives up. Confined to the thread of the write. */
final class WriteClaims implements CommitHook.Pending {
    private final Reservations reservations;
    private final List<Taken> taken = new ArrayList<>();
    private final List<ReservedKey> givenUp = new ArrayList<>();
    private boolean isCommitted;

    /** @param isDoubtful whether it must be compared with what is stored in any case */
    private record Taken(Exclusion rule, ReservedKey id, boolean isDoubtful) {}

    WriteClaims(Reservations reservations) {
        this.reservations = reservations;
    }

    void took(Exclusion rule, ReservedKey id, boolean isDoubtful) {
        taken.add(new Taken(rule, id, isDoubtful));
    }

    void givesUp(ReservedKey id) {
        givenUp.add(id);
    }

    @Override
    public void committed() {
        isCommitted = true;
    }

    @Override
    public void close() {
        for (Taken each : taken) {
            boolean isSettled = isCommitted && !each.isDoubtful() && reservations.isInForce(each.rule());
            reservations.leave(each.id(), !isSettled);
        }
        if (isCommitted) {
            givenUp.forEach(reservations::settle);
        }
    }
}
