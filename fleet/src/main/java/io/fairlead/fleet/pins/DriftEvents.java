package io.fairlead.fleet.pins;

import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.pins.TypeConsistency.Drift;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.root.ClusterEvent;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.Repetitions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes Events of the root cluster about a type that changed to differ from the others (core {@code v1} Event). A
 * failed write is tried again, up to a hundred times; beyond a thousand waiting events further ones are dropped.
 *
 * <p>Threads: confined to the writing thread, which blocks.
 */
final class DriftEvents {
    private static final Logger LOG = LoggerFactory.getLogger(DriftEvents.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final String REASON = "TypeDrift";

    private static final int UNTOLD_MAX = 1_000;
    private static final int ATTEMPTS_MAX = 100;

    private final RootApi api;
    private final Judge judge;
    private List<Untold> untold = new ArrayList<>();

    /** A drift of which the event is still to be written. */
    private record Untold(Drift drift, Instant seen, int attempts) {}

    /** @param judge compares a new type with the old one */
    DriftEvents(RootApi api, Judge judge) {
        this.api = api;
        this.judge = judge;
    }

    /** Queues drifts. */
    void note(List<Drift> drifts, Instant seen) {
        drifts.stream().limit(UNTOLD_MAX - untold.size()).forEach(drift -> untold.add(new Untold(drift, seen, 0)));
    }

    /** Writes the queued events, as far as possible now. */
    void tell() {
        List<Untold> left = new ArrayList<>();
        for (Untold one : untold) {
            try {
                write(one);
            } catch (RuntimeException failure) {
                retryOrDrop(one, failure, left);
            }
        }
        untold = left;
    }

    private void write(Untold one) {
        Drift drift = one.drift();
        Optional<ObjectNode> cluster =
                api.get(ClusterKind.CLUSTERS, "", drift.cluster().value());
        if (cluster.isPresent()) {
            String verdict = judge.compare(drift.old(), drift.now());
            String message = drift.type() + " was " + drift.old() + ", is " + drift.now() + ": " + verdict;
            new ClusterEvent(cluster.get(), suffix(drift), REASON, message, one.seen()).write(api);
        }
    }

    private static void retryOrDrop(Untold one, RuntimeException failure, List<Untold> left) {
        boolean isLast = one.attempts() + 1 == ATTEMPTS_MAX;
        if (!isLast) {
            left.add(new Untold(one.drift(), one.seen(), one.attempts() + 1));
        }
        if (isLast || one.attempts() == 0) {
            TOLD.next(one.drift().cluster())
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("cluster", one.drift().cluster())
                            .addKeyValue("type", one.drift().type())
                            .addKeyValue("givenUp", isLast)
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("The event of a type's drift cannot be written"));
        }
    }

    /** Distinguishes events of one moment. */
    private static String suffix(Drift drift) {
        String digest = drift.now().text();
        return digest.substring(digest.length() - 8)
                + Integer.toHexString(drift.type().hashCode());
    }
}
