package io.fairlead.cli.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What is known of a cluster's history: its epoch, and when it was Ready. */
@Command(
        name = "history",
        description = {
            "Print when a cluster was Ready, as the server observed it, and its epoch.",
            "Its commands judge recorded watches, and print what was observed of conditions."
        },
        subcommands = {HistoryCheckCommand.class, HistoryConditionsCommand.class})
public final class HistoryCommand extends ServerCommand {
    /** Not required: commands of this one ask no server. */
    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "ID",
            converter = ClusterId.class,
            description = "the cluster")
    @Nullable
    private ClusterName cluster;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "print only whether it was Ready at this time (RFC 3339, as 2026-01-02T03:14:00Z)")
    @Nullable
    private String at;

    private String path = "";

    @Override
    public void prepare() {
        if (cluster == null) {
            throw wrongUsage(
                    "no cluster and no command is given (expected -c ID, or one of the commands check and conditions)");
        }
        path = Paths.fleet(cluster) + "/transitions" + query();
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode report = client.get(path);
        if (at == null) {
            print(report);
        } else {
            printState(report);
        }
        return ExitCodes.OK;
    }

    private String query() {
        if (at == null) {
            return "";
        }
        try {
            Instant.parse(at);
        } catch (DateTimeParseException unreadable) {
            throw wrongUsage("option --at \"" + at + "\" (expected a time in RFC 3339, as 2026-01-02T03:14:00Z)");
        }
        return "?at=" + URLEncoder.encode(at, UTF_8);
    }

    private void print(JsonNode report) {
        List<TransitionRow> rows = TransitionRow.all(report);
        boolean isTable = output().form() == OutputOptions.Form.TABLE;
        if (isTable) {
            out().println(Visible.printable(summary(report, rows)));
        }
        if (!isTable || !rows.isEmpty()) {
            output().print(
                            report,
                            rows.stream().map(TransitionRow::json).toList(),
                            TransitionRow.columns(),
                            row -> row.path("observed").asString(""));
        }
        out().flush();
    }

    private static String summary(JsonNode report, List<TransitionRow> rows) {
        JsonNode consistent = report.path("historyConsistent");
        String history = consistent.isMissingNode()
                ? "not judged"
                : switch (consistent.path("status").asString("")) {
                    case "True" -> "consistent";
                    case "False" ->
                        "not consistent (" + consistent.path("reason").asString("") + ")";
                    default -> "unknown (" + consistent.path("reason").asString("") + ")";
                };
        return report.path("cluster").asString("") + ": epoch "
                + report.path("epoch").asLong(0) + ", history " + history
                + (rows.isEmpty() ? ", not observed yet" : "");
    }

    private void printState(JsonNode report) {
        JsonNode state = report.path("at");
        switch (output().form()) {
            case TABLE -> out().println(Visible.printable(report.path("cluster").asString("") + ": " + words(state)));
            case NAME -> out().println(Visible.printable(state.path("ready").asString("")));
            case JSON, YAML -> output().print(report, List.of(), List.of(), JsonNode::asString);
        }
        out().flush();
    }

    /** {@code Ready was False at 2026-01-02T03:14:00Z: Timeout, from … to …}. */
    private static String words(JsonNode state) {
        String known = "Ready was " + state.path("ready").asString("") + " at "
                + state.path("time").asString("") + ": " + state.path("reason").asString("");
        if (!state.has("since")) {
            return known + " (nothing so old is kept)";
        }
        String since = ", since " + state.path("since").asString("")
                + (state.path("firstSight").asBoolean(false) ? " or longer" : "");
        if (!state.has("until")) {
            return known + since;
        }
        String until = state.path("until").asString("");
        return known
                + since
                + (state.path("restarted").asBoolean(false)
                        ? "; it is not known until when: Fairlead was started again and saw the cluster at " + until
                        : ", until " + until);
    }
}
