package io.fairlead.cli.store;

import io.fairlead.cli.server.ArchiveFile;
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
import picocli.CommandLine.Option;

/** Writes the archive of a running server's store. */
@Command(
        name = "backup",
        description = {
            "Write all that a running server has stored to a file, as of one moment.",
            "It contains all hosted clusters, registrations and credentials, and no file of the data directory."
        })
final class StoreBackupCommand extends ServerCommand {
    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "the file to write, - for standard output")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        try (InputStream archive = client.download(Paths.STORE_BACKUP)) {
            long entries = new ArchiveFile(file).write(archive, ArchiveCheck.ofStore());
            err().println("store backed up: " + entries + " entries");
            return ExitCodes.OK;
        } catch (IOException unclosable) {
            throw CommandFailure.of("the connection could not be closed (" + unclosable.getMessage() + ")");
        }
    }
}
