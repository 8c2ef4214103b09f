package io.fairlead.cli.publication;

import io.fairlead.cli.server.CommandGroup;
import picocli.CommandLine.Command;

/** What is published into attached clusters. */
@Command(
        name = "publication",
        description = "Say what is published into attached clusters, and what would be.",
        subcommands = {PublicationPlanCommand.class, PublicationStatusCommand.class})
public final class PublicationCommand extends CommandGroup {}
