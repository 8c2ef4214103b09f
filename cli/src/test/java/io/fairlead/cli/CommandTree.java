package io.fairlead.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;

/** The commands that there are, as they are registered. */
final class CommandTree {
    private static final CommandLine WHOLE = FairleadCommand.whole();

    private CommandTree() {}

    /** By their names, in the order of the help. */
    static Map<String, CommandLine> all() {
        return WHOLE.getSubcommands();
    }

    /** The names of a group's commands. */
    static List<String> names(String group) {
        return List.copyOf(
                Objects.requireNonNull(all().get(group), group).getSubcommands().keySet());
    }
}
