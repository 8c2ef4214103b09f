package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** kubectl with one kubeconfig and a home of its own, so that no cache of another test or of the user is seen. */
final class Kubectl {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final Path folder;
    private final Path kubeconfig;
    private final @Nullable NetworkNamespace network;

    /** kubectl that keeps its caches and temporary files in a folder. */
    Kubectl(Path folder, Path kubeconfig) {
        this(folder, kubeconfig, null);
    }

    /** The same, in a network of its own. */
    Kubectl(Path folder, Path kubeconfig, @Nullable NetworkNamespace network) {
        this.network = network;
        try {
            this.folder = Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.kubeconfig = kubeconfig;
    }

    Output run(String... arguments) {
        return run("", Map.of(), List.of(arguments));
    }

    /** Runs it with something on standard input, for {@code -f -}. */
    Output apply(String input, String... arguments) {
        return run(input, Map.of(), List.of(arguments));
    }

    Output run(String input, Map<String, String> environment, List<String> arguments) {
        return Output.of(folder, environment(environment), input, TIMEOUT, command(arguments));
    }

    /** Runs it and fails the test if it fails. */
    String succeed(String... arguments) {
        return succeedWith("", arguments);
    }

    String succeedWith(String input, String... arguments) {
        Output output = apply(input, arguments);
        if (output.exitCode() != 0) {
            throw new AssertionError("kubectl " + List.of(arguments) + ": " + output);
        }
        return output.output();
    }

    /** Starts it in the background: a watch. */
    OwnedProcess start(String name, String... arguments) {
        return start(name, Map.of(), arguments);
    }

    OwnedProcess start(String name, Map<String, String> environment, String... arguments) {
        return OwnedProcess.start(name, folder, environment(environment), command(List.of(arguments)));
    }

    /** Starts it with its standard output in a pipe, which waits for whoever reads it. */
    Process startPiped(String... arguments) {
        var builder = new ProcessBuilder(command(List.of(arguments)))
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("piped.log").toFile()));
        builder.environment().putAll(environment(Map.of()));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(List<String> arguments) {
        var command = new ArrayList<>(List.of(RealServers.get().kubectl(), "--kubeconfig", kubeconfig.toString()));
        command.addAll(arguments);
        NetworkNamespace own = network;
        return own == null ? command : own.within(command);
    }

    private Map<String, String> environment(Map<String, String> more) {
        var all = new HashMap<>(more);
        all.put("HOME", folder.toString());
        all.put("KUBECACHEDIR", folder.resolve("cache").toString());
        all.put("TMPDIR", folder.toString());
        all.put("KUBECONFIG", "/dev/null");
        return all;
    }
}
