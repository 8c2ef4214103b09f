package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.schema.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Confirms that the cluster to which a registration moved is the one that is meant. */
@Command(
        name = "confirm",
        description = {
            "Confirm that the other cluster to which a registration leads by now is meant.",
            "Requests that may change something are served again then."
        })
final class ClusterConfirmCommand extends ServerCommand {
    private static final String CONFIRMED = "fairlead.io/confirmed-cluster-uid";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode registration = client.get(Paths.cluster(cluster.name()));
        JsonNode identity = registration.path("status").path("identity");
        String uid = identity.path("uid").asString("");
        String served = identity.path("servedUid").asString("");
        if (uid.isEmpty() || served.isEmpty() || uid.equals(served)) {
            throw CommandFailure.of(
                    "cluster \"" + cluster.name() + "\" has not moved: there is nothing to confirm",
                    "'kubectl describe cluster " + cluster.name() + "' shows its condition IdentityVerified");
        }
        JsonNode changed = client.patch(Paths.cluster(cluster.name()), annotation(uid));
        output().printChange(changed, "confirmed: it is the cluster whose namespace kube-system has uid " + uid);
        return ExitCodes.OK;
    }

    private static ObjectNode annotation(String uid) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(CONFIRMED, uid);
        return patch;
    }
}
