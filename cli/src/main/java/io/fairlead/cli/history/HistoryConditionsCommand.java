package io.fairlead.cli.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.ClusterOption;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import java.net.URLEncoder;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Prints the transitions of an object's conditions, as a {@code ConditionRecord} has observed them. */
@Command(
        name = "conditions",
        description = "Print what was observed of an object's conditions, beside what the object states about them.")
final class HistoryConditionsCommand extends ServerCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec command;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterOption cluster;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "the object's namespace; none by default")
    private String namespace = "";

    @Parameters(
            paramLabel = "RESOURCE/NAME",
            description = "the resource, with its group if it is not of the core group, as pods/web-0 or"
                    + " deployments.apps/web")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String object;

    private String path = "";

    @Override
    public void prepare() {
        OptionsBefore.requireNone(command);
        String[] parts = object.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw wrongUsage("\"" + object + "\" (expected RESOURCE/NAME, as pods/web-0 or deployments.apps/web)");
        }
        path = Paths.fleet(cluster.name()) + "/conditions?resource=" + encoded(parts[0]) + "&name=" + encoded(parts[1])
                + (namespace.isEmpty() ? "" : "&namespace=" + encoded(namespace));
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode report = client.get(path);
        output().print(
                        report,
                        List.copyOf(report.path("transitions").values()),
                        List.of(
                                column("OBSERVED", "observed"),
                                column("CONDITION", "condition"),
                                new Table.Column<>("STATUS", row -> orNone(row, "status")),
                                new Table.Column<>("STATED", row -> orNone(row, "stated")),
                                column("VERSION", "resourceVersion"),
                                new Table.Column<>("MANAGER", row -> orNone(row, "manager")),
                                new Table.Column<>("MARK", HistoryConditionsCommand::mark)),
                        row -> row.path("observed").asString(""));
        return ExitCodes.OK;
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, row -> row.path(field).asString(""));
    }

    private static String orNone(JsonNode row, String field) {
        String text = row.path(field).asString("");
        return text.isEmpty() ? "-" : text;
    }

    /** Nothing of a transition whose stated time fits the observed order. */
    private static String mark(JsonNode row) {
        return switch (row.path("verdict").asString("")) {
            case "FirstSight" -> "first sight";
            case "Unstated" -> "NEVER STATED";
            case "Travelled" -> "TRAVELLED";
            case "Removed" -> "removed";
            default -> "";
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
