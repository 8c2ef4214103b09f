package io.fairlead.cli.store;

import io.fairlead.cli.server.ArchiveOutput;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.gateway.ArchiveCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes the archive of a running server's store. */
@Command(
        name = "backup",
        description = {
            "Write all that a running server has stored to a file, as of one moment.",
            "It contains all hosted clusters, registrations and credentials, and no file of the data directory."
        })
final class StoreBackupCommand extends ServerCommand {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ArchiveOutput file;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        long entries = file.save(client, Paths.STORE_BACKUP, ArchiveCheck.ofStore());
        err().println("store backed up: " + entries + " entries");
        return ExitCodes.OK;
    }
}
