package io.fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.Age;
import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.ClusterOption;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.HumanDuration;
import io.fairlead.model.Visible;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Asks the index whether a cluster serves a group/version or a resource; the exit code is the answer. */
@Command(
        name = "served",
        description = "Ask whether a cluster serves a group/version or a resource.",
        exitCodeOnExecutionException = 4,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:served", "1:absent", "3:unknown", "4:error"})
final class ServedCommand extends ServerCommand {
    private static final int ABSENT = 1;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterOption cluster;

    @Parameters(paramLabel = "GROUP/VERSION[/RESOURCE]", description = "the core group is written core/v1")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String what;

    private String query = "";

    /** A failure must not look like an answer. */
    @Override
    public Integer call() throws CommandFailure {
        try {
            return super.call();
        } catch (CommandFailure failure) {
            throw failure.withExitCode(ExitCodes.FAILED);
        }
    }

    @Override
    public void prepare() {
        query = query(parts());
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode answer = client.get(Paths.fleet(cluster.name()) + "/served" + query);
        warnIfOld(answer);
        print(answer);
        return exitCode(answer);
    }

    private String[] parts() {
        String[] parts = what.split("/", -1);
        if (parts[0].matches("v[0-9]+((alpha|beta)[0-9]+)?") && parts.length <= 2) {
            throw wrongUsage("\"" + what + "\" names no group (expected core/" + what + ")");
        }
        if (parts.length < 2 || parts.length > 3 || List.of(parts).contains("")) {
            throw wrongUsage(
                    "\"" + what + "\" (expected group/version or group/version/resource; the core group is core)");
        }
        return parts;
    }

    private static String query(String[] parts) {
        String group = parts[0].equals("core") ? "" : parts[0];
        String query = "?group=" + encoded(group) + "&version=" + encoded(parts[1]);
        return parts.length == 3 ? query + "&resource=" + encoded(parts[2]) : query;
    }

    private void print(JsonNode answer) {
        if (output().form() == OutputOptions.Form.NAME) {
            out().println(answer.path("answer").asString(""));
            return;
        }
        List<JsonNode> holders = List.copyOf(answer.path("holders").values());
        if (output().form() == OutputOptions.Form.TABLE) {
            String route = answer.path("route").asString("");
            out().println(Visible.printable(answer.path("answer").asString("")
                    + (route.isEmpty() ? "" : ", route " + route) + reason(answer) + " (" + asOf(answer) + ")"));
        }
        if (output().form() != OutputOptions.Form.TABLE || !holders.isEmpty()) {
            output().print(
                            answer,
                            holders,
                            List.of(column("TYPE", "type"), column("NAME", "name"), column("UID", "uid")),
                            holder -> holder.path("name").asString(""));
        }
    }

    /** On standard error, so that standard output stays as scripts expect it. */
    private void warnIfOld(JsonNode answer) {
        JsonNode asOf = answer.path("asOf");
        boolean isUnknown = answer.path("answer").asString("").equals("UNKNOWN");
        if (isUnknown || asOf.path("current").asBoolean(true)) {
            return;
        }
        String heard = asOf.has("unheardSeconds")
                ? "nothing is known yet of what cluster \"" + cluster.name() + "\" serves for "
                        + HumanDuration.of(
                                Duration.ofSeconds(asOf.path("unheardSeconds").asLong(0)))
                : "what is known of what cluster \"" + cluster.name() + "\" serves is in doubt";
        err().println("warning: " + heard + ", so that the answer may be out of date ('fairlead doctor -c "
                + cluster.name() + "' says why)");
        err().flush();
    }

    /** Why the answer is unknown. */
    private static String reason(JsonNode answer) {
        return switch (answer.path("reason").asString("")) {
            case "NOT_SYNCED" -> ": its types are not listed yet";
            case "LOST" -> ": the watch of its types is lost";
            case "RESOURCES_UNLISTED" ->
                ": its API server serves the group/version, and does not say with which resources";
            default -> "";
        };
    }

    private static String asOf(JsonNode answer) {
        if (answer.path("askedServer").asBoolean(false)) {
            return "as its API server says now";
        }
        String version = answer.path("asOf").path("resourceVersion").asString("");
        if (version.isEmpty()) {
            return "nothing is known of it yet";
        }
        return "as of resourceVersion " + version + ", "
                + Age.since(answer.path("asOf").path("time").asString("")) + " ago";
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, holder -> holder.path(field).asString(""));
    }

    private static int exitCode(JsonNode answer) {
        return switch (answer.path("answer").asString("")) {
            case "SERVED" -> ExitCodes.OK;
            case "ABSENT" -> ABSENT;
            case "UNKNOWN" -> ExitCodes.UNKNOWN;
            default -> ExitCodes.FAILED;
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
