package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ArchiveFile;
import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.gateway.ArchiveCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "the file to write, - for standard output")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        try (InputStream archive = client.download(Paths.fleet(cluster.name()) + "/export")) {
            long objects = new ArchiveFile(file).write(archive, ArchiveCheck.ofCluster());
            err().println("cluster \"" + cluster.name() + "\" exported: " + objects + " objects");
            return ExitCodes.OK;
        } catch (IOException unclosable) {
            throw CommandFailure.of("the connection could not be closed (" + unclosable.getMessage() + ")");
        }
    }
}
