package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.exclusive.StoredKeys.Holding;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.GroupVersionResource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Problem: an object and the reservation of its key are in two clusters, so that no commit writes both. The process may end
 * between the two, writes of one object run side by side, and a write whose reservation is made may be refused or lose a race.
 *
 * Invariant: an object that is stored with a key for which it was asked about has the reservation of it. So a reservation is
 * made before the object is stored, and deleted only after the object was read from its cluster's store, and has not the key,
 * while no write of this process that may give it the key is under way. All writes of hosted clusters are of this process: it
 * has the lock of the data directory. What a process that was killed left behind is found by reading the object, too.
 *
 * Concurrency: a key has a lease while a write is under way that wants it, or while it is settled. Writes of one object share
 * a lease; of another object a write is refused at once. The last one that leaves settles what is in doubt. A write that comes
 * meanwhile waits for that: for reads, and for the replacement or deletion of a reservation. A write holds the gates of its
 * namespace and its definition all the while. That is no cycle, since no write of a reservation passes a gate, and the
 * lease of another object's write is not waited for.
 */
/**
 * The {@code KeyReservation} objects of the root cluster: made for writes that are under way, deleted when their holders have
 * the key no more.
 *
 * <p>Threads: any virtual one; calls block for the store.
 */
final class Reservations {
    private static final GroupVersionResource RESOURCE = KeyReservationKind.KEY_RESERVATIONS;

    /** Another client writes reservations if so many attempts meet changed ones. */
    private static final int ATTEMPTS = 8;

    private final RootApi api;
    private final StoredKeys stored;
    private final Function<String, @Nullable Exclusion> rules;
    private final Runnable again;

    /** Of keys that a write wants, or that are settled; guarded by itself. */
    private final Map<ReservedKey, Lease> leases = new HashMap<>();

    /** What came of a try to have a key. */
    sealed interface Outcome {
        /**
         * It has it.
         *
         * @param isDoubtful whether the reservation must be compared with what is stored, even if the write is committed
         */
        record Taken(boolean isDoubtful) implements Outcome {}

        /** Another object has it, or is about to. */
        record Held(ObjectKey by) implements Outcome {}
    }

    /** Of one key. Guarded by the map. */
    private static final class Lease {
        /** Whose writes want it; null while it is only settled. */
        private @Nullable ObjectKey wanted;

        private int writes;
        private boolean isDoubtful;
        private boolean isSettled;
    }

    /** It cannot be had now: other clients do not cease to write its reservation. */
    static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BusyException(String problem) {
            super(problem, null, false, false);
        }
    }

    /**
     * None of this process yet.
     *
     * @param rules the rule of a uid which is in force and denies; null if there is none
     * @param again has all reservations compared with what is stored after a while
     */
    Reservations(RootApi api, StoredKeys stored, Function<String, @Nullable Exclusion> rules, Runnable again) {
        this.api = api;
        this.stored = stored;
        this.rules = rules;
        this.again = again;
    }

    /** Tries to have a key for a write of an object, which {@link #leave}s it when it has ended. */
    Outcome take(Exclusion rule, ReservedKey id, ObjectKey object, String uid) throws InterruptedException {
        ObjectKey other = enter(id, object);
        if (other != null) {
            return new Outcome.Held(other);
        }
        boolean isTaken = false;
        boolean isDoubtful = true;
        try {
            Outcome outcome = reserve(rule, id, object, uid);
            isTaken = outcome instanceof Outcome.Taken;
            isDoubtful = false;
            return outcome;
        } finally {
            if (!isTaken) {
                leave(id, isDoubtful);
            }
        }
    }

    /** The object that has a key, other than one that wants it. */
    Optional<ObjectKey> holder(Exclusion rule, ReservedKey id, ObjectKey object) throws InterruptedException {
        Optional<ObjectKey> claims = rule.claimant(id.key(), object, stored);
        if (claims.isPresent()) {
            return claims;
        }
        Reservation there = find(id);
        return there == null || there.holder().equals(object) || hasLeft(rule, there)
                ? Optional.empty()
                : Optional.of(there.holder());
    }

    private Outcome reserve(Exclusion rule, ReservedKey id, ObjectKey object, String uid) throws InterruptedException {
        Optional<ObjectKey> claims = rule.claimant(id.key(), object, stored);
        if (claims.isPresent()) {
            return new Outcome.Held(claims.get());
        }
        Reservation own = new Reservation(id, rule.spec().name(), object, uid, "");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Reservation there = find(id);
            if (there == null) {
                if (api.create(RESOURCE, "", own.node())) {
                    return new Outcome.Taken(false);
                }
            } else if (there.holder().equals(object)) {
                return new Outcome.Taken(!there.uid().equals(uid));
            } else if (!hasLeft(rule, there)) {
                return new Outcome.Held(there.holder());
            } else if (api.updateUnlessChanged(
                    RESOURCE, "", there.of(object, uid).node(), "")) {
                return new Outcome.Taken(false);
            }
        }
        throw new BusyException("its reservation was changed by others " + ATTEMPTS + " times");
    }

    /** One that cannot be read is still there. */
    private boolean hasLeft(Exclusion rule, Reservation there) throws InterruptedException {
        return stored.holding(rule, there.id().key(), there.holder()) instanceof Holding.Left;
    }

    /** Whether a rule is still the one of its uid that denies. */
    boolean isInForce(Exclusion rule) {
        return rule.equals(rules.apply(rule.spec().uid()));
    }

    /**
     * A write that has a key ended.
     *
     * @param isDoubtful whether its object may be without the key
     */
    void leave(ReservedKey id, boolean isDoubtful) {
        synchronized (leases) {
            Lease lease = leases.get(id);
            if (lease == null) {
                throw new IllegalStateException("a key is left that was not taken (expected " + id.name() + " taken)");
            }
            lease.isDoubtful |= isDoubtful;
            lease.writes--;
            if (lease.writes > 0) {
                return;
            }
            if (!lease.isDoubtful) {
                free(id);
                return;
            }
            lease.isSettled = true;
        }
        settleAndFree(id);
    }

    /** Deletes the reservation of a key if its holder has it no more; not while a write wants it, which does so at its end. */
    void settle(ReservedKey id) {
        synchronized (leases) {
            Lease lease = leases.get(id);
            if (lease != null) {
                lease.isDoubtful = true;
                return;
            }
            Lease settled = new Lease();
            settled.isSettled = true;
            settled.isDoubtful = true;
            leases.put(id, settled);
        }
        settleAndFree(id);
    }

    /** Every key that is reserved. */
    void forEach(Consumer<ReservedKey> each) {
        api.forEach(
                RESOURCE,
                "",
                reservation -> ReservedKey.of(reservation.at("/metadata/name").asString(""))
                        .ifPresent(each));
    }

    /** The object whose writes want the key already, if it is another one; null once the key is leased to this one. */
    private @Nullable ObjectKey enter(ReservedKey id, ObjectKey object) throws InterruptedException {
        synchronized (leases) {
            while (true) {
                Lease lease = leases.computeIfAbsent(id, _ -> new Lease());
                if (lease.isSettled) {
                    leases.wait();
                } else if (lease.wanted == null || lease.wanted.equals(object)) {
                    lease.wanted = object;
                    lease.writes++;
                    return null;
                } else {
                    return lease.wanted;
                }
            }
        }
    }

    /** Again, if it came into doubt meanwhile: what was read may be of before. */
    private void settleAndFree(ReservedKey id) {
        boolean isFree = false;
        try {
            while (isStillDoubtful(id)) {
                compareOrLater(id);
            }
            isFree = true;
        } finally {
            if (!isFree) {
                synchronized (leases) {
                    free(id);
                }
            }
        }
    }

    private void compareOrLater(ReservedKey id) {
        try {
            compare(id);
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
            again.run();
        } catch (RuntimeException failure) {
            again.run(); // what fails then, too, is logged
        }
    }

    private boolean isStillDoubtful(ReservedKey id) {
        synchronized (leases) {
            Lease lease = leases.get(id);
            if (lease != null && lease.isDoubtful) {
                lease.isDoubtful = false;
                return true;
            }
            free(id);
            return false;
        }
    }

    /** Under the lock. */
    private void free(ReservedKey id) {
        leases.remove(id);
        leases.notifyAll();
    }

    private void compare(ReservedKey id) throws InterruptedException {
        Reservation there = find(id);
        if (there == null) {
            return;
        }
        Exclusion rule = rules.apply(id.rule());
        Holding holding = rule == null ? new Holding.Left() : stored.holding(rule, id.key(), there.holder());
        switch (holding) {
            case Holding.Left _ -> api.delete(RESOURCE, "", id.name());
            case Holding.Holds(String uid)
            when !uid.equals(there.uid()) ->
                api.updateUnlessChanged(
                        RESOURCE, "", there.of(there.holder(), uid).node(), "");
            case Holding.Holds _ -> {}
            case Holding.Unknown _ -> again.run();
        }
    }

    private @Nullable Reservation find(ReservedKey id) {
        return api.get(RESOURCE, "", id.name())
                .map(stored -> Reservation.of(id, stored))
                .orElse(null);
    }
}
