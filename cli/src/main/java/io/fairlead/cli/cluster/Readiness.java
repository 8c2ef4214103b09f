package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Waits until a cluster has the requested conditions. */
public final class Readiness {
    private static final long POLL_MILLIS = 200;

    /** Reasons that an operator must fix; waiting does not help. */
    private static final Set<String> LASTING = Set.of(
            "AddressDenied",
            "AnotherCluster",
            "CertificateRefused",
            "CredentialForbidden",
            "CredentialRefused",
            "InvalidCredential",
            "NotAFrontProxy",
            "NotKubernetes",
            "TLSFailed",
            "UnknownHost");

    /** A right or a name created just before may need a moment to take effect. */
    private static final Duration LASTING_AFTER = Duration.ofSeconds(3);

    /** Set by the launcher. */
    private static final boolean ON_TERMINAL = Boolean.getBoolean("fairlead.terminal");

    private Readiness() {}

    /** Removes the registration, or fails if that is impossible. */
    @FunctionalInterface
    interface Undo {
        void run() throws CommandFailure, StatusFailure;
    }

    /**
     * Waits until a cluster is Ready, and returns it. Progress is printed to terminals only, failures always.
     *
     * @throws CommandFailure on timeout, with the conditions that are still false
     */
    static JsonNode await(FairleadClient client, ClusterName name, Duration timeout, PrintWriter err)
            throws CommandFailure, StatusFailure {
        return await(client, name, timeout, err, null);
    }

    /**
     * The same, but stops at reasons that an operator must fix.
     *
     * @param undo runs then; null to keep waiting
     */
    static JsonNode await(
            FairleadClient client, ClusterName name, Duration timeout, PrintWriter err, @Nullable Undo undo)
            throws CommandFailure, StatusFailure {
        Instant end = Instant.now().plus(timeout);
        JsonNode cluster = client.get(Paths.cluster(name));
        String said = "";
        String lasting = "";
        Instant since = Instant.now();
        while (!isTrue(cluster, "Ready")) {
            said = say(name, cluster, said, err);
            String reason = lastingReason(cluster);
            if (!reason.equals(lasting)) {
                lasting = reason;
                since = Instant.now();
            }
            if (undo != null && !lasting.isEmpty() && Instant.now().isAfter(since.plus(LASTING_AFTER))) {
                undo.run();
                throw CommandFailure.of(
                        "cluster \"" + name + "\" cannot be used: " + problem(cluster),
                        "nothing stays registered; correct it and try again, or register it as it is with --no-wait");
            }
            boolean isInConflict = isTrue(cluster, "Conflict") && Instant.now().isAfter(since.plus(LASTING_AFTER));
            if (isInConflict || Instant.now().isAfter(end)) {
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
        String now = "waiting for cluster \"" + name + "\", which is registered: " + problem(cluster);
        boolean fails = failing(cluster)
                .map(condition -> condition.path("status").asString("").equals("False"))
                .orElse(false);
        if ((ON_TERMINAL || fails) && !now.equals(said)) {
            err.println(now);
            err.flush();
        }
        return now;
    }

    private static String lastingReason(JsonNode cluster) {
        return failing(cluster)
                .map(condition -> condition.path("reason").asString(""))
                .filter(LASTING::contains)
                .orElse("");
    }

    public static Optional<JsonNode> condition(JsonNode cluster, String type) {
        return cluster.path("status").path("conditions").values().stream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst();
    }

    private static boolean isTrue(JsonNode cluster, String type) {
        return condition(cluster, type)
                .map(condition -> condition.path("status").asString("").equals("True"))
                .orElse(false);
    }

    private static String problem(JsonNode cluster) {
        return failing(cluster)
                .map(condition -> condition.path("message").asString(""))
                .orElse("nothing is known of it yet");
    }

    /** The first condition with a reason. Of a cluster that is not served at all, Ready alone says why. */
    private static Optional<JsonNode> failing(JsonNode cluster) {
        if (isTrue(cluster, "Conflict")) {
            return condition(cluster, "Ready");
        }
        return Stream.of("Reachable", "TypesSynced", "CRDRuntimeReachable", "Ready")
                .filter(type -> !isTrue(cluster, type))
                .flatMap(type -> condition(cluster, type).stream())
                .findFirst();
    }

    /** The interval between two reads of a registration. */
    static void pause() throws CommandFailure {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }
}
