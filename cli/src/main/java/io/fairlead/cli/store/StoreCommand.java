package io.fairlead.cli.store;

import io.fairlead.cli.server.CommandGroup;
import picocli.CommandLine.Command;

/** The store of a server as a whole. */
@Command(
        name = "store",
        description = "Back up all that a server has stored, and restore it.",
        subcommands = {StoreBackupCommand.class, StoreRestoreCommand.class})
public final class StoreCommand extends CommandGroup {}
