package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes a registration; a hosted cluster's data only where that is asked for. */
@Command(
        name = "delete",
        description = "Remove a cluster. A hosted one keeps its data unless --purge is given.",
        mixinStandardHelpOptions = true)
final class ClusterDeleteCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Parameters(paramLabel = "ID", converter = ClusterId.class, description = "the cluster's id")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterName name;

    @Option(names = "--purge", description = "delete a hosted cluster's data too, also that of a retained one")
    private boolean purge;

    @Override
    public Integer call() throws CommandFailure {
        try (FairleadClient client = server.connect()) {
            if (deleteRegistration(client)) {
                say(purge ? "deleted and its data purged" : "deleted");
            } else if (purge) {
                client.delete(Paths.fleet(name) + "/data");
                say("purged");
            }
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    /** Whether there was one. */
    private boolean deleteRegistration(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode cluster;
        try {
            cluster = client.get(Paths.cluster(name));
        } catch (StatusFailure missing) {
            if (missing.code() == 404 && purge) {
                return false;
            }
            throw missing;
        }
        if (purge && cluster.path("spec").has("hosted")) {
            client.patch(Paths.cluster(name), policyDelete());
        }
        client.delete(Paths.cluster(name));
        removeOwnSecret(client, cluster);
        return true;
    }

    /** Removes the Secret that {@code attach} made for this cluster; others are their owner's affair. */
    private void removeOwnSecret(FairleadClient client, JsonNode cluster) throws CommandFailure, StatusFailure {
        String secret = cluster.path("spec")
                .path("attached")
                .path("kubeconfigSecretRef")
                .path("name")
                .asString("");
        if (!secret.equals("cluster-" + name)) {
            return;
        }
        try {
            client.delete(Paths.secret(secret));
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
        }
    }

    private static ObjectNode policyDelete() {
        ObjectNode patch = Json.object();
        patch.putObject("spec").putObject("hosted").put("deletionPolicy", "Delete");
        return patch;
    }

    private void say(String what) {
        spec.commandLine().getOut().println("cluster.fairlead.io/" + name + " " + what);
    }
}
