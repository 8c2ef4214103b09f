package io.fairlead.cli.server;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.model.Visible;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that sends requests to a server; a refusal ends the command. */
public abstract class ServerCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Override
    public Integer call() throws CommandFailure {
        prepare();
        try (FairleadClient client = connect()) {
            int exitCode = run(client);
            client.warnings().forEach(warning -> err().println("warning: " + Visible.printable(warning)));
            err().flush();
            return exitCode;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    /** Connects to the server that the options name. */
    public FairleadClient connect() throws CommandFailure {
        return server.connect();
    }

    /** Validates the arguments before any request. */
    public void prepare() throws CommandFailure {}

    /** Runs the command and returns the exit code. */
    public abstract int run(FairleadClient client) throws CommandFailure, StatusFailure;

    public final ServerOptions server() {
        return server;
    }

    public final OutputOptions output() {
        return output;
    }

    public final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    public final ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
