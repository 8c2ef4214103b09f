package io.fairlead.cli;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.ClusterOption;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.CommandGroup;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Inspects the index. */
@Command(name = "index", description = "Check the index of served types.", subcommands = IndexCommand.Verify.class)
final class IndexCommand extends CommandGroup {
    /** Compares a cluster's view in the index with the cluster itself. */
    @Command(
            name = "verify",
            description = "Compare what is known of a cluster's types with what its API server has now.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:equal", "1:different, or an error", "3:the view is not complete yet"})
    static final class Verify extends ServerCommand {
        private static final int INCOMPLETE = 3;

        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private ClusterOption cluster;

        @Override
        public int run(FairleadClient client) throws CommandFailure, StatusFailure {
            JsonNode report = client.get(Paths.fleet(cluster.name()) + "/index/verify");
            List<JsonNode> mismatches = List.copyOf(report.path("mismatches").values());
            print(report, mismatches);
            if (!report.path("synced").asBoolean(false)) {
                return INCOMPLETE;
            }
            return mismatches.isEmpty() ? ExitCodes.OK : ExitCodes.ERROR;
        }

        private void print(JsonNode report, List<JsonNode> mismatches) {
            if (output().form() == OutputOptions.Form.TABLE) {
                String complete = report.path("synced").asBoolean(false) ? "" : " (the view is not complete yet)";
                out().println(cluster.name() + ": "
                        + report.path("groupVersions").asLong(0) + " group/versions, " + mismatches.size()
                        + " mismatches" + complete);
                mismatches.forEach(mismatch -> out().println("  " + mismatch.asString("")));
                return;
            }
            output().print(report, mismatches, List.of(), mismatch -> mismatch.asString(""));
        }
    }
}
