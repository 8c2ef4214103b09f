package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandGroup;
import picocli.CommandLine.Command;

/** Registers clusters and lists them. */
@Command(
        name = "cluster",
        description = "Attach, create, confirm, delete, list, export and import clusters.",
        subcommands = {
            ClusterAttachCommand.class,
            ClusterConfirmCommand.class,
            ClusterCreateCommand.class,
            ClusterDeleteCommand.class,
            ClusterExportCommand.class,
            ClusterImportCommand.class,
            ClusterListCommand.class
        })
public final class ClusterCommand extends CommandGroup {}
