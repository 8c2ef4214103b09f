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
 * The caller's own kubectl, led by a kubeconfig of theirs: what that names as {@code exec} runs here and as it does otherwise. Blocks,
 * for as long as a login takes.
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

    /** Runs it without asking any server. */
    void requireThere() throws CommandFailure {
        run("version", "--client");
    }

    /**
     * Runs it to its end, and answers what it printed. What it says on standard error, or asks, goes to the terminal.
     *
     * @throws CommandFailure if there is none, or it ends otherwise than with 0
     */
    String run(String... arguments) throws CommandFailure {
        return end(arguments).orThrow();
    }

    /**
     * What one run of it came to.
     *
     * @param verb the first argument
     * @param exitCode 0 if all went well
     * @param printed what it printed, also before it failed
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
     * The same, whatever it ends with.
     *
     * @throws CommandFailure if there is none
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
