package io.fairlead.cli.server;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others, so that it is wrong usage by itself. */
@Command(synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public final void run() {
        List<String> commands = List.copyOf(spec.subcommands().keySet());
        throw new ParameterException(spec.commandLine(), "no command is given (expected " + inWords(commands) + ")");
    }

    private static String inWords(List<String> commands) {
        String last = commands.getLast();
        return commands.size() == 1
                ? last
                : String.join(", ", commands.subList(0, commands.size() - 1)) + " or " + last;
    }
}
