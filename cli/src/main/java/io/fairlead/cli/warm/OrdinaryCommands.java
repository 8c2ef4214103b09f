package io.fairlead.cli.warm;

import io.fairlead.cli.server.CommandFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What is asked by commands before their JVM writes down what it learned. */
public final class OrdinaryCommands {
    private static final String CLUSTER = "rehearsal";

    private static final List<List<String>> COMMANDS = List.of(
            List.of("cluster", "create", CLUSTER),
            List.of("cluster", "list"),
            List.of("kubeconfig", CLUSTER),
            List.of("served", "-c", CLUSTER, "core/v1/configmaps"),
            List.of("index", "verify", "-c", CLUSTER),
            List.of("history", "-c", CLUSTER),
            List.of("types", "matrix"),
            List.of("conflicts"),
            List.of("top"),
            List.of("version"),
            List.of("doctor"),
            List.of("cluster", "delete", CLUSTER, "--purge"));

    private OrdinaryCommands() {}

    /** Runs a line of arguments as the program would and returns the exit code. */
    @FunctionalInterface
    public interface Line {
        int execute(List<String> arguments, PrintWriter out, PrintWriter err);
    }

    /** Runs each in this JVM, against the server of a kubeconfig, and fails with the first that does. */
    static void run(Line line, Path kubeconfig) throws CommandFailure {
        for (List<String> command : COMMANDS) {
            List<String> arguments = Stream.concat(command.stream(), Stream.of("--kubeconfig", kubeconfig.toString()))
                    .toList();
            StringWriter said = new StringWriter();
            PrintWriter out = new PrintWriter(said);
            if (line.execute(arguments, out, out) != 0) {
                throw CommandFailure.of("'" + String.join(" ", command) + "' failed: " + said);
            }
        }
    }
}
