package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes reservations whose holders have the key no more: those of keys of which something changed, and all of them at the
 * start, whenever rules change, and after a failure.
 *
 * <p>Threads: one virtual thread; the other methods are for any and do not wait.
 */
final class ReservationSweep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationSweep.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Beyond that, all reservations are looked at instead. */
    private static final int WAITING_MAX = 10_000;

    private final Reservations reservations;
    private final Repetitions failures = new Repetitions();
    private final Supervised work;

    /** What waits; guarded by itself, as is the next field. */
    private final LinkedHashSet<ReservedKey> waiting = new LinkedHashSet<>();

    private Due due = Due.NONE;

    /** When all reservations are looked at. */
    private enum Due {
        NONE,
        LATER,
        NOW
    }

    ReservationSweep(Reservations reservations) {
        this.reservations = reservations;
        this.work = new Supervised("exclusive-reservations", Thread.ofVirtual(), this::run, new WorkLog());
    }

    void start() {
        work.start();
    }

    Supervised work() {
        return work;
    }

    @Override
    public void close() {
        work.close();
    }

    /** Something changed about keys. */
    void look(Collection<ReservedKey> keys) {
        synchronized (waiting) {
            if (waiting.size() + keys.size() > WAITING_MAX) {
                due = Due.NOW;
                waiting.clear();
            } else {
                waiting.addAll(keys);
            }
            waiting.notifyAll();
        }
    }

    /** Rules changed. */
    void lookAtAll() {
        due(Due.NOW);
    }

    /** Something could not be settled. */
    void again() {
        due(Due.LATER);
    }

    private void due(Due when) {
        synchronized (waiting) {
            if (due.compareTo(when) < 0) {
                due = when;
            }
            waiting.notifyAll();
        }
    }

    /** After any interruption, all are looked at. */
    private void run() throws InterruptedException {
        lookAtAll();
        while (!work.isClosed()) {
            try {
                turn();
            } catch (RuntimeException failure) {
                log(failure);
                again();
            }
        }
    }

    private void turn() throws InterruptedException {
        List<ReservedKey> keys;
        Due all;
        synchronized (waiting) {
            while (waiting.isEmpty() && due == Due.NONE) {
                waiting.wait();
            }
            keys = new ArrayList<>(waiting);
            waiting.clear();
            all = due;
            due = Due.NONE;
        }
        keys.forEach(reservations::settle);
        if (all == Due.LATER) {
            work.pause(AGAIN);
        }
        if (all != Due.NONE) {
            reservations.forEach(reservations::settle);
        }
    }

    private void log(RuntimeException failure) {
        failures.next(String.valueOf(failure.getClass()))
                .ifPresent(leftOut -> LOG.atWarn()
                        .setCause(failure)
                        .addKeyValue("leftOut", leftOut)
                        .log("Reservations of exclusive keys cannot be compared with their holders; trying again"));
    }
}
