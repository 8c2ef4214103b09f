package io.fairlead.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Registers clusters and lists them. */
@Command(
        name = "cluster",
        description = "Attach, create, delete and list clusters.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ClusterAttachCommand.class,
            ClusterCreateCommand.class,
            ClusterDeleteCommand.class,
            ClusterListCommand.class
        })
public final class ClusterCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "no command is given (expected attach, create, delete or list)");
    }
}
