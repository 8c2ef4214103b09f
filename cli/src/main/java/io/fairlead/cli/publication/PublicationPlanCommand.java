package io.fairlead.cli.publication;

import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.DocumentFile;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints what publications would change in their targets. */
@Command(
        name = "plan",
        description = {
            "Print what the APIPublications of a file would change in their targets, and change nothing.",
            "Every change is sent to the targets as a dry run. Other objects in the file are passed over."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is in the way, whether or not something would change",
            "1:error, or a publication was refused",
            "2:something is in the way, which is printed, or there is no target"
        })
final class PublicationPlanCommand extends ServerCommand {
    private static final String PUBLICATION = "APIPublication";

    private static final List<Table.Column<JsonNode>> COLUMNS = List.of(
            column("PUBLICATION", "publication"),
            column("CLUSTER", "cluster"),
            column("VERB", "verb"),
            column("RESOURCE", "resource"),
            column("NAMESPACE", "namespace"),
            column("NAME", "name"));

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "a YAML or JSON file, - for standard input")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    private final List<ObjectNode> publications = new ArrayList<>();

    @Override
    public void prepare() throws CommandFailure {
        DocumentFile documents = new DocumentFile(file);
        for (JsonNode document : documents.documents()) {
            add(document);
        }
        if (publications.isEmpty()) {
            throw documents.failure("no " + PUBLICATION + " in it (expected at least one)");
        }
    }

    private void add(JsonNode document) {
        String kind = text(document, "kind");
        if (kind.equals(PUBLICATION)) {
            publications.add(planOf(document));
        } else if (kind.endsWith("List")) {
            document.path("items").values().forEach(this::add);
        }
    }

    /** Without what a server has added to a publication that was read from it. */
    private static ObjectNode planOf(JsonNode publication) {
        ObjectNode plan =
                Json.object().put("apiVersion", text(publication, "apiVersion")).put("kind", PUBLICATION + "Plan");
        plan.putObject("metadata").put("name", name(publication));
        if (publication.has("spec")) {
            plan.set("spec", publication.path("spec"));
        }
        return plan;
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure {
        ArrayNode plans = Json.array();
        boolean isRefused = false;
        for (ObjectNode publication : publications) {
            try {
                plans.add(client.post(Paths.PUBLICATION_PLANS + "?fieldValidation=Strict", publication));
            } catch (StatusFailure refused) {
                isRefused = true;
                err().println(Visible.printable("error: " + name(publication) + ": " + refused.getMessage()));
            }
        }
        List<JsonNode> writes = new ArrayList<>();
        plans.forEach(plan -> writes.addAll(writes(plan)));
        JsonNode document = publications.size() == 1 && plans.size() == 1 ? plans.get(0) : list(plans);
        if (!plans.isEmpty()) {
            output().print(document, writes, COLUMNS, PublicationPlanCommand::path);
        }
        boolean isInTheWay = false;
        for (JsonNode plan : plans) {
            isInTheWay |= tellProblems(plan);
        }
        if (isRefused) {
            return ExitCodes.ERROR;
        }
        return isInTheWay ? ExitCodes.DIFFERENT : ExitCodes.OK;
    }

    private static ObjectNode list(ArrayNode plans) {
        ObjectNode list = Json.object().put("apiVersion", "v1").put("kind", "List");
        list.set("items", plans);
        return list;
    }

    private static List<JsonNode> writes(JsonNode plan) {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode cluster : plan.at("/status/clusters").values()) {
            for (JsonNode write : cluster.path("writes").values()) {
                all.add(((ObjectNode) write.deepCopy())
                        .put("publication", name(plan))
                        .put("cluster", text(cluster, "cluster")));
            }
        }
        return all;
    }

    /** Says what is in the way; whether something is. */
    private boolean tellProblems(JsonNode plan) {
        String name = name(plan);
        JsonNode clusters = plan.at("/status/clusters");
        int targets = plan.at("/status/targets").asInt(0);
        if (targets == 0) {
            err().println(Visible.printable(name + ": no target (spec.target selects no registered attached cluster)"));
            return true;
        }
        if (clusters.size() < targets) {
            err().println(Visible.printable(
                    name + ": only the first " + clusters.size() + " of " + targets + " targets were looked at"));
        }
        boolean isInTheWay = clusters.size() < targets;
        for (JsonNode cluster : clusters.values()) {
            for (JsonNode step : cluster.path("steps").values()) {
                if (text(step, "state").equals("Failed")) {
                    isInTheWay = true;
                    err().println(Visible.printable(name + " in " + text(cluster, "cluster") + ": " + text(step, "step")
                            + ": " + text(step, "reason") + ": " + text(step, "message")));
                }
            }
        }
        return isInTheWay;
    }

    private static String name(JsonNode object) {
        return text(object.path("metadata"), "name");
    }

    private static String path(JsonNode write) {
        return String.join(
                "/",
                text(write, "publication"),
                text(write, "cluster"),
                text(write, "verb"),
                text(write, "resource"),
                text(write, "name"));
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, write -> {
            String text = text(write, field);
            return text.isEmpty() ? "-" : text;
        });
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
