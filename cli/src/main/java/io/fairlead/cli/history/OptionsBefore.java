package io.fairlead.cli.history;

import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Options that stand before a command, and are those of the one that it belongs to: they would be ignored. */
final class OptionsBefore {
    private OptionsBefore() {}

    /** Refuses them. */
    static void requireNone(CommandSpec command) {
        List<OptionSpec> before = Objects.requireNonNull(command.parent())
                .commandLine()
                .getParseResult()
                .matchedOptions();
        if (!before.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "option " + before.getFirst().longestName() + " stands before the command " + command.name()
                            + " (expected none there)");
        }
    }
}
