package io.fairlead.gateway.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Lists the clusters that the caller may enter, retained ones included. */
@Command(name = "list", description = "List the clusters that you may enter.", mixinStandardHelpOptions = true)
final class ClusterListCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Override
    public Integer call() throws CommandFailure {
        try (FairleadClient client = server.connect()) {
            JsonNode fleet = client.get(Paths.FLEET);
            List<JsonNode> clusters = List.copyOf(fleet.path("clusters").values());
            output.print(fleet, clusters, columns(), cluster -> text(cluster, "name"));
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    private static List<Table.Column<JsonNode>> columns() {
        return List.of(
                new Table.Column<>("NAME", cluster -> text(cluster, "name")),
                new Table.Column<>("TYPE", cluster -> text(cluster, "type")),
                new Table.Column<>("READY", cluster -> text(cluster, "ready")),
                new Table.Column<>("VERSION", cluster -> text(cluster, "version")),
                new Table.Column<>("APIS", cluster -> text(cluster, "groupVersions")),
                new Table.Column<>("AGE", cluster -> age(text(cluster, "creationTimestamp"))));
    }

    private static String text(JsonNode cluster, String field) {
        JsonNode value = cluster.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asString("");
    }

    private static String age(String timestamp) {
        try {
            return Age.of(Duration.between(Instant.parse(timestamp), Instant.now()));
        } catch (DateTimeParseException none) {
            return "<unknown>";
        }
    }
}
