package io.fairlead.cli.warm;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.gateway.Gateway;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The parts of {@code warm} that ask the trial server; the launcher does the rest. */
@Command(
        name = "warm",
        description = "Make the cache from which this version starts quickly, by the JDK in use; takes about a minute.")
public final class WarmCommand implements Callable<Integer> {
    private static final int REQUESTS_MAX = 2_000;

    /** Of which it would have learned little. */
    private static final int REQUESTS_MIN = 500;

    /** Of the requests alone; a busy machine answers less of them. */
    private static final Duration TIME_MAX = Duration.ofSeconds(15);

    private final OrdinaryCommands.Line line;

    /** Set by the launcher, which has started the server of its subfolder {@code server}. */
    @Option(names = "--trial", hidden = true)
    @Nullable
    private Path folder;

    /** Set by the launcher for a JVM that notes what commands need, and not what a server does. */
    @Option(names = "--commands", hidden = true)
    private boolean runsCommands;

    /** Takes what runs a line of arguments as if it were given to the program. */
    public WarmCommand(OrdinaryCommands.Line line) {
        this.line = line;
    }

    @Override
    public Integer call() throws CommandFailure {
        if (folder == null) {
            throw CommandFailure.of("the launcher makes the cache", "start this as 'fairlead warm'");
        }
        if (runsCommands) {
            OrdinaryCommands.run(line, folder.resolve("server/admin.kubeconfig"));
            return ExitCodes.OK;
        }
        try {
            Gateway.unpackLibraries(folder.resolve("native"));
        } catch (IOException full) {
            throw CommandFailure.of(folder + " cannot be written: " + full);
        }
        try (Rehearsal rehearsal = new Rehearsal(folder)) {
            if (rehearsal.run(REQUESTS_MAX, TIME_MAX) < REQUESTS_MIN) {
                throw CommandFailure.of("the trial server answered less than " + REQUESTS_MIN + " requests");
            }
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }
}
