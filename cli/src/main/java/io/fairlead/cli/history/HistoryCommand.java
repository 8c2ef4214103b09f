package io.fairlead.cli.history;

import io.fairlead.cli.server.CommandGroup;
import picocli.CommandLine.Command;

/** Judges the order of what API servers report. */
@Command(name = "history", description = "Find watches that go back in time.", subcommands = HistoryCheckCommand.class)
public final class HistoryCommand extends CommandGroup {}
