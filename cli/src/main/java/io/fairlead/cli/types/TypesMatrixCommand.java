package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.schema.json.Json;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows the types of the fleet, which clusters define them, and which of them differ from most. */
@Command(
        name = "matrix",
        description = "Show each type that clusters define, its digest, and which clusters hold which definition of it."
                + " The definition of most clusters comes first.")
final class TypesMatrixCommand extends ServerCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "KIND.GROUP",
            description = "one type, as Database.example.com; all if it is not given")
    private @Nullable String type;

    private String query = "";

    @Override
    public void prepare() {
        if (type == null) {
            return;
        }
        int dot = type.indexOf('.');
        if (dot <= 0 || dot == type.length() - 1) {
            throw wrongUsage("\"" + type + "\" (expected a kind and its group, as Database.example.com)");
        }
        query = "?kind=" + URLEncoder.encode(type.substring(0, dot), UTF_8) + "&group="
                + URLEncoder.encode(type.substring(dot + 1), UTF_8);
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode report = client.get("/fairlead/v1/types" + query);
        List<JsonNode> rows = rows(report);
        output().print(report, rows, columns(), TypesMatrixCommand::name);
        if (rows.isEmpty()) {
            err().println(nothingFound());
        }
        for (JsonNode cluster : report.path("unknown").values()) {
            err().println("warning: the types of cluster \"" + cluster.asString("")
                    + "\" are not known for certain now");
        }
        return ExitCodes.OK;
    }

    private String nothingFound() {
        return type == null
                ? "No types found: no cluster that you may enter holds a CustomResourceDefinition."
                : "No types found: no cluster that you may enter defines " + type
                        + " (expected the kind as its definition spells it, as Database.example.com, not the plural).";
    }

    /** A row for each definition, or for each controller of its objects. */
    private static List<JsonNode> rows(JsonNode report) {
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode type : report.path("types").values()) {
            for (JsonNode definition : type.path("definitions").values()) {
                byImplementation(definition).forEach((implementation, clusters) -> {
                    ObjectNode row = Json.object();
                    row.put("name", text(type, "kind") + "." + text(type, "group"));
                    row.put("api", text(definition, "api"));
                    row.put("implementation", implementation);
                    row.put("clusters", String.join(",", clusters));
                    row.put("difference", difference(definition.path("comparison")));
                    rows.add(row);
                });
            }
        }
        return rows;
    }

    /** The verdict and the first place where it differs from the definition of most clusters. */
    private static String difference(JsonNode comparison) {
        if (comparison.isMissingNode()) {
            return "";
        }
        String verdict = text(comparison, "verdict");
        JsonNode differences = comparison.path("differences");
        if (differences.isEmpty()) {
            return verdict;
        }
        JsonNode first = differences.get(0);
        int more = differences.size() - 1 + comparison.path("untold").asInt(0);
        String where = first.has("version") ? text(first, "version") + " " + text(first, "path") : text(first, "path");
        return verdict + ": " + where + " (" + text(first, "rule") + ")" + (more == 0 ? "" : " and " + more + " more");
    }

    private static Map<String, List<String>> byImplementation(JsonNode definition) {
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        for (JsonNode cluster : definition.path("clusters").values()) {
            String implementation = cluster.path("implementation").asString("Unknown");
            clusters.computeIfAbsent(implementation, one -> new ArrayList<>()).add(text(cluster, "name"));
        }
        return clusters;
    }

    private static List<Table.Column<JsonNode>> columns() {
        return List.of(
                new Table.Column<>("TYPE", TypesMatrixCommand::name),
                new Table.Column<>("API", row -> Rendering.digest(text(row, "api"))),
                new Table.Column<>("IMPLEMENTATION", row -> text(row, "implementation")),
                new Table.Column<>("CLUSTERS", row -> text(row, "clusters")),
                new Table.Column<>("DIFFERENCE", row -> text(row, "difference")));
    }

    private static String name(JsonNode row) {
        return text(row, "name");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
