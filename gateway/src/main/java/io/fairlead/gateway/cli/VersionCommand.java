package io.fairlead.gateway.cli;

import io.fairlead.gateway.FairleadVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version. */
@Command(name = "version", description = "Print the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().println(text());
        return ExitCodes.OK;
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    private static String text() {
        return "fairlead " + FairleadVersion.NUMBER + " (Java "
                + Runtime.version().feature() + ")";
    }
}
