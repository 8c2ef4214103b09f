package io.fairlead.cli.publication;

import io.fairlead.cli.cluster.Readiness;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.schema.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints how far the steps of a publication are in each of its targets. */
@Command(
        name = "status",
        description = {
            "Print how far the steps of an APIPublication are in each of its targets.",
            "Exit code 0: it is available in all; 2: it is not."
        })
final class PublicationStatusCommand extends ServerCommand {
    private static final List<Table.Column<JsonNode>> COLUMNS = List.of(
            column("CLUSTER", "cluster"),
            column("STEP", "step"),
            column("STATE", "state"),
            column("SINCE", "since"),
            column("REASON", "reason"),
            column("MESSAGE", "message"));

    @Parameters(paramLabel = "NAME", description = "the name of the APIPublication")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String name;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode object = client.get(Paths.PUBLICATIONS + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8));
        List<JsonNode> steps = new ArrayList<>();
        for (JsonNode cluster : object.at("/status/clusters").values()) {
            for (JsonNode step : cluster.path("steps").values()) {
                steps.add(((ObjectNode) step.deepCopy()).set("cluster", cluster.path("cluster")));
            }
        }
        output().print(object, steps, COLUMNS, step -> text(step, "cluster") + "/" + text(step, "step"));
        JsonNode available = Readiness.condition(object, "Available").orElseGet(Json::object);
        long generation = object.at("/metadata/generation").asLong(0);
        if (available.path("observedGeneration").asLong(generation) != generation) {
            err().println("not known: the status is that of the spec before its last change");
            return ExitCodes.DIFFERENT;
        }
        if (available.path("status").asString("").equals("True")) {
            return ExitCodes.OK;
        }
        err().println("not available: " + text(available, "reason") + ": " + text(available, "message"));
        return ExitCodes.DIFFERENT;
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, step -> text(step, field));
    }

    private static String text(JsonNode step, String field) {
        String text = step.path(field).asString("");
        return text.isEmpty() ? "-" : text;
    }
}
