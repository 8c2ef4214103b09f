package io.fairlead.fleet.pins;

import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.pins.TypeConsistency.Drift;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.Repetitions;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

    /** The namespace of events about cluster-scoped objects, as in Kubernetes. */
    private static final String NAMESPACE = "default";

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
            api.createIfAbsent(RootApi.EVENTS, NAMESPACE, event(drift, verdict, cluster.get(), one.seen()));
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

    private static ObjectNode event(Drift drift, String verdict, ObjectNode cluster, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event = Json.object();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", drift.cluster() + "." + Long.toHexString(now.toEpochMilli()) + "." + suffix(drift))
                .put("namespace", NAMESPACE);
        event.putObject("involvedObject")
                .put("apiVersion", "fairlead.io/v1alpha1")
                .put("kind", "Cluster")
                .put("name", drift.cluster().value())
                .put("uid", cluster.at("/metadata/uid").asString(""));
        event.put("reason", REASON).put("type", "Warning").put("count", 1);
        event.put("message", drift.type() + " was " + drift.old() + ", is " + drift.now() + ": " + verdict);
        event.put("firstTimestamp", time).put("lastTimestamp", time);
        event.putObject("source").put("component", "fairlead");
        return event;
    }

    /** Distinguishes events of one moment. */
    private static String suffix(Drift drift) {
        String digest = drift.now().text();
        return digest.substring(digest.length() - 8)
                + Integer.toHexString(drift.type().hashCode());
    }
}
