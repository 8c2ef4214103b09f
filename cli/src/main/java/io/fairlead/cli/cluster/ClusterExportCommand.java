package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ArchiveOutput;
import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.gateway.ArchiveCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes the archive of a hosted cluster. */
@Command(
        name = "export",
        description = {
            "Write everything that a hosted cluster has to a file, as of one moment, while it is used.",
            "The file contains its Secrets; 'cluster import' makes a cluster of it, here or elsewhere."
        })
final class ClusterExportCommand extends ServerCommand {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ArchiveOutput file;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        long objects = file.save(client, Paths.fleet(cluster.name()) + "/export", ArchiveCheck.ofCluster());
        err().println("cluster \"" + cluster.name() + "\" exported: " + objects + " objects");
        return ExitCodes.OK;
    }
}
