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

    /** Asks whether it can be registered, without registering it. */
    void tryOut(FairleadClient client) throws CommandFailure, StatusFailure {
        var _ = client.post(Paths.CLUSTERS + "?dryRun=All", object());
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
