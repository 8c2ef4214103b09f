package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Waits until a cluster's conditions say what was asked for. */
final class Readiness {
    private static final long POLL_MILLIS = 200;

    /** Told by the launcher. */
    private static final boolean ON_TERMINAL = Boolean.getBoolean("fairlead.terminal");

    private Readiness() {}

    /**
     * Waits until a cluster is Ready, and answers it then. What it waits for is said where a person watches.
     *
     * @throws CommandFailure with what is still wrong when the time is over
     */
    static JsonNode await(FairleadClient client, ClusterName name, Duration timeout, PrintWriter err)
            throws CommandFailure, StatusFailure {
        Instant end = Instant.now().plus(timeout);
        JsonNode cluster = client.get(Paths.cluster(name));
        String said = "";
        while (!isTrue(cluster, "Ready")) {
            said = say(name, cluster, said, err);
            if (Instant.now().isAfter(end)) {
                throw CommandFailure.of(
                        "cluster \"" + name + "\" is not Ready: " + problem(cluster),
                        "it stays registered and is tried again; 'fairlead cluster delete " + name + "' removes it");
            }
            pause();
            cluster = client.get(Paths.cluster(name));
        }
        return cluster;
    }

    private static String say(ClusterName name, JsonNode cluster, String said, PrintWriter err) {
        String now = "waiting for cluster \"" + name + "\": " + problem(cluster);
        if (ON_TERMINAL && !now.equals(said)) {
            err.println(now);
        }
        return now;
    }

    static Optional<JsonNode> condition(JsonNode cluster, String type) {
        return cluster.path("status").path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst();
    }

    private static boolean isTrue(JsonNode cluster, String type) {
        return condition(cluster, type)
                .map(condition -> condition.path("status").asString("").equals("True"))
                .orElse(false);
    }

    /** The first condition that says why. */
    private static String problem(JsonNode cluster) {
        for (String type : new String[] {"Reachable", "TypesSynced", "CRDRuntimeReachable", "Ready"}) {
            Optional<JsonNode> condition = condition(cluster, type);
            if (condition.isPresent() && !isTrue(cluster, type)) {
                return condition.get().path("message").asString("");
            }
        }
        return "nothing is known of it yet";
    }

    private static void pause() throws CommandFailure {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }
}
