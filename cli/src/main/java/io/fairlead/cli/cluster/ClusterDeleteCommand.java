package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes a registration; a hosted cluster's data only on request. */
@Command(name = "delete", description = "Remove a cluster. A hosted one keeps its data unless --purge is given.")
final class ClusterDeleteCommand extends ServerCommand {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Option(names = "--purge", description = "delete a hosted cluster's data too, also that of a retained one")
    private boolean purge;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        JsonNode registration;
        try {
            registration = client.get(Paths.cluster(name));
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
            if (!purge) {
                throw CommandFailure.of(
                        String.valueOf(missing.getMessage()),
                        "'fairlead cluster list' lists the clusters; of a hosted cluster that was deleted before,"
                                + " 'fairlead cluster delete " + name + " --purge' deletes the data that were kept");
            }
            output().printChange(client.delete(Paths.fleet(name) + "/data"), name, "purged");
            return ExitCodes.OK;
        }
        if (purge && registration.path("spec").has("attached")) {
            throw CommandFailure.of(
                    "cluster \"" + name
                            + "\" is attached: it has no data here (expected --purge for a hosted cluster); nothing was"
                            + " changed",
                    "'fairlead cluster delete " + name + "' removes its registration; what is in the cluster stays");
        }
        String file = Registrations.sourceFile(registration);
        if (purge && !file.isEmpty()) {
            throw CommandFailure.of(
                    "cluster \"" + name + "\" is declared by the file " + file
                            + " of --clusters-dir, which would create it again, without its data; nothing was changed",
                    "remove it there, then delete it");
        }
        unregister(client, name, registration);
        output().printChange(registration, purge ? "deleted and its data purged" : "deleted");
        if (!purge && isRetained(registration)) {
            err().println("its data stay: 'fairlead cluster create " + name + "' serves them again, 'fairlead cluster"
                    + " delete " + name + " --purge' deletes them");
        }
        if (ServiceAccountCredential.isNotedIn(registration)) {
            err().println(ServiceAccountCredential.removal(client, registration));
        }
        return ExitCodes.OK;
    }

    /** Whether its data is retained; {@code Retain} is the default of the kind. */
    private static boolean isRetained(JsonNode registration) {
        JsonNode hosted = registration.path("spec").path("hosted");
        return hosted.isObject()
                && !hosted.path("deletionPolicy").asString("Retain").equals("Delete");
    }

    private void unregister(FairleadClient client, ClusterName name, JsonNode registration)
            throws CommandFailure, StatusFailure {
        if (purge && registration.path("spec").has("hosted")) {
            client.patch(Paths.cluster(name), policyDelete());
        }
        client.delete(Paths.cluster(name));
        removeOwnSecrets(client, name, registration);
    }

    /** Removes the Secrets that {@code attach} created for this cluster; others belong to their owner. */
    private static void removeOwnSecrets(FairleadClient client, ClusterName name, JsonNode registration)
            throws CommandFailure, StatusFailure {
        for (String secret : Attachment.Names.own(name, registration)) {
            if (Attachment.otherUser(client, name, secret).isPresent()) {
                continue; // Kubernetes' garbage collection keeps it as long as an owner is left.
            }
            try {
                client.delete(Paths.secret(secret));
            } catch (StatusFailure missing) {
                if (missing.code() != 404) {
                    throw missing;
                }
            }
        }
    }

    private static ObjectNode policyDelete() {
        ObjectNode patch = Json.object();
        patch.putObject("spec").putObject("hosted").put("deletionPolicy", "Delete");
        return patch;
    }
}
