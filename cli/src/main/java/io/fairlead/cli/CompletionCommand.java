package io.fairlead.cli;

import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.UsageProblem;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script for a shell's completion of commands. */
@Command(
        name = "completion",
        description = "Print a script that completes commands in a shell.",
        footer = {
            "",
            "bash:  source <(fairlead completion bash)",
            "zsh:   source <(fairlead completion zsh)",
            "fish:  fairlead completion fish | source"
        })
final class CompletionCommand implements Callable<Integer> {
    private static final String NAME = "fairlead";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "bash, zsh or fish")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String shell;

    @Override
    public Integer call() {
        CommandLine root = FairleadCommand.whole();
        spec.commandLine()
                .getOut()
                .print(
                        switch (shell) {
                            // It begins with what zsh requires.
                            case "bash", "zsh" -> AutoComplete.bash(NAME, root);
                            case "fish" -> FishCompletion.of(NAME, root.getCommandSpec());
                            default ->
                                throw new ParameterException(
                                        spec.commandLine(),
                                        UsageProblem.unfit("SHELL", shell, UsageProblem.oneOf(Shells.ALL)));
                        });
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    /** The supported shells. */
    static final class Shells implements Iterable<String> {
        private static final List<String> ALL = List.of("bash", "zsh", "fish");

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }
}
