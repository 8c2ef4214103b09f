package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller's own kubectl, with their kubeconfig: its {@code exec} plugins run as usual. Blocks, for as long as a
 * login takes.
 */
final class OwnKubectl {
    private static final int OUTPUT_BYTES_MAX = 64 * 1024;

    private final Path kubeconfig;
    private final @Nullable String context;

    /** @param context the context to use; null for the current one */
    OwnKubectl(Path kubeconfig, @Nullable String context) {
        this.kubeconfig = kubeconfig;
        this.context = context;
    }

    /** Runs it without a request to any server. */
    void requireThere() throws CommandFailure {
        run("version", "--client");
    }

    /**
     * Runs it to its end, and returns its output. Its standard error and prompts go to the terminal.
     *
     * @throws CommandFailure if there is no kubectl, or its exit code is not 0
     */
    String run(String... arguments) throws CommandFailure {
        return end(arguments).orThrow();
    }

    /**
     * The result of one run.
     *
     * @param verb the first argument
     * @param exitCode 0 for success
     * @param printed its output, also before a failure
     */
    record End(String verb, int exitCode, String printed) {
        String orThrow() throws CommandFailure {
            if (exitCode != 0) {
                throw CommandFailure.of(
                        "'kubectl " + verb + "' ended with " + exitCode + "; what it says stands above");
            }
            return printed;
        }
    }

    /**
     * The same with any exit code.
     *
     * @throws CommandFailure if there is no kubectl
     */
    End end(String... arguments) throws CommandFailure {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        if (context != null) {
            command.addAll(List.of("--context", context));
        }
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return end(process, arguments[0]);
        } catch (IOException cannotRun) {
            throw CommandFailure.of(
                    "kubectl cannot be run (expected one on the path, since it makes the ServiceAccount)",
                    "'fairlead cluster attach ID --print-rbac' prints what to apply by other means");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandFailure.of("interrupted");
        }
    }

    private static End end(Process process, String verb) throws IOException, InterruptedException {
        try (var output = process.getInputStream()) {
            String printed = new String(output.readNBytes(OUTPUT_BYTES_MAX), UTF_8);
            output.transferTo(OutputStream.nullOutputStream());
            return new End(verb, process.waitFor(), printed);
        } finally {
            process.destroy();
        }
    }
}
