package io.fairlead.cli.cluster;

import io.fairlead.cli.print.Age;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Lists the clusters that the caller may enter, retained ones included. */
@Command(name = "list", description = "List the clusters that you may enter.")
final class ClusterListCommand extends ServerCommand {
    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode fleet = client.get(Paths.FLEET);
        List<JsonNode> clusters = List.copyOf(fleet.path("clusters").values());
        output().print(fleet, clusters, columns(), cluster -> text(cluster, "name"));
        if (clusters.isEmpty()) {
            err().println("No clusters found: you may enter none of " + client.origin()
                    + "; an administrator binds the verb \"access\" on clusters.fairlead.io/NAME to"
                    + " you in cluster root");
        }
        return ExitCodes.OK;
    }

    private static List<Table.Column<JsonNode>> columns() {
        return List.of(
                new Table.Column<>("NAME", cluster -> text(cluster, "name")),
                new Table.Column<>("TYPE", cluster -> text(cluster, "type")),
                new Table.Column<>("READY", cluster -> text(cluster, "ready")),
                new Table.Column<>("AVAILABLE", cluster -> text(cluster, "available")),
                new Table.Column<>("VERSION", cluster -> text(cluster, "version")),
                new Table.Column<>("APIS", cluster -> text(cluster, "groupVersions")),
                new Table.Column<>("AGE", cluster -> Age.since(text(cluster, "creationTimestamp"))),
                new Table.Column<>("REASON", cluster -> text(cluster, "reason")));
    }

    private static String text(JsonNode cluster, String field) {
        JsonNode value = cluster.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asString("");
    }
}
