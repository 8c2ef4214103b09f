package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The registration of a hosted cluster.
 *
 * @param builtIns what {@code spec.hosted.builtIns} is
 */
record HostedRegistration(ClusterName name, String builtIns, RegistrationOptions options) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Registers it, and waits until it is Ready unless that is not wanted. */
    JsonNode create(FairleadClient client, boolean noWait, PrintWriter err) throws CommandFailure, StatusFailure {
        JsonNode created = client.post(Paths.CLUSTERS, object());
        return noWait ? created : Readiness.await(client, name, TIMEOUT, err);
    }

    /** The same, where the id may be taken. */
    JsonNode createUnlessThere(FairleadClient client, boolean noWait, PrintWriter err)
            throws CommandFailure, StatusFailure {
        try {
            return create(client, noWait, err);
        } catch (StatusFailure refused) {
            throw existsAlready(refused, "remove it with 'fairlead cluster delete " + name + "'");
        }
    }

    /** Asks whether it can be registered, without registering it. */
    void tryOut(FairleadClient client) throws CommandFailure, StatusFailure {
        try {
            var _ = client.post(Paths.CLUSTERS + "?dryRun=All", object());
        } catch (StatusFailure refused) {
            throw existsAlready(refused, "remove it with its data by 'fairlead cluster delete " + name + " --purge'");
        }
    }

    /** The refusal itself, unless the id is taken. */
    private StatusFailure existsAlready(StatusFailure refused, String removal) throws CommandFailure {
        if (refused.reason().equals("AlreadyExists")) {
            throw CommandFailure.of(
                    "cluster \"" + name + "\" exists already",
                    "choose another id" + (name.equals(ClusterName.ROOT) ? "" : ", or " + removal));
        }
        return refused;
    }

    private ObjectNode object() {
        ObjectNode registration = Json.object();
        registration.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        registration.putObject("metadata").put("name", name.value());
        registration
                .putObject("spec")
                .putObject("hosted")
                .put("builtIns", builtIns)
                .put("deletionPolicy", "Retain");
        options.describe(registration);
        return registration;
    }
}
