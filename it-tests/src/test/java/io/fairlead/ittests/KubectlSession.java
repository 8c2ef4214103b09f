package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One way to reach a cluster, on which steps are performed and their normalised outcomes recorded.
 *
 * <p>A user of the session is a kubeconfig; each has its own kubectl with its own caches.
 */
final class KubectlSession {
    private static final Duration WATCH_TIMEOUT = Duration.ofSeconds(30);

    private final Path folder;
    private final Map<String, Kubectl> users = new HashMap<>();
    private final Map<String, String> servers = new HashMap<>();
    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

    KubectlSession(Path folder) {
        this.folder = folder;
    }

    KubectlSession with(String user, Path kubeconfig) {
        var kubectl = new Kubectl(folder.resolve(user), kubeconfig);
        users.put(user, kubectl);
        servers.put(
                user, kubectl.succeed("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"));
        return this;
    }

    /** Performs steps in order and returns all outcomes so far by the steps' names. */
    Map<String, Outcome> perform(List<Step> steps) {
        for (Step step : steps) {
            Outcome before = outcomes.put(step.name(), outcome(step));
            if (before != null) {
                throw new IllegalArgumentException("two steps are named " + step.name());
            }
        }
        return outcomes;
    }

    private Outcome outcome(Step step) {
        return switch (step) {
            case Step.Command command -> perform(command);
            case Step.Watch watch -> perform(watch);
        };
    }

    private Outcome perform(Step.Command command) {
        Output output = kubectl(command.user())
                .run(resource(command.input()), environment(command.editor()), command.arguments());
        return new Outcome(
                output.exitCode(),
                normalised(command.user(), output.output()),
                normalised(command.user(), output.errors()));
    }

    /** Starts a watch, lets it see each change before the next one is made, and ends it. */
    private Outcome perform(Step.Watch watch) {
        Kubectl kubectl = kubectl(watch.user());
        try (OwnedProcess watching = kubectl.start(
                watch.name().replaceAll("\\W+", "-"), watch.arguments().toArray(String[]::new))) {
            long lines = watch.firstLines();
            for (List<String> change : watch.changes()) {
                awaitLines(watching, lines);
                kubectl.succeed(change.toArray(String[]::new));
                lines++;
            }
            awaitLines(watching, lines);
            return new Outcome(
                    0, normalised(watch.user(), watching.output()), normalised(watch.user(), watching.errors()));
        }
    }

    private static void awaitLines(OwnedProcess watching, long lines) {
        Await.until(
                lines + " lines of a watch; " + watching.tail(),
                WATCH_TIMEOUT,
                () -> watching.output().lines().count() >= lines);
    }

    private Kubectl kubectl(String user) {
        return Objects.requireNonNull(users.get(user), user);
    }

    private String normalised(String user, String text) {
        String server = Objects.requireNonNull(servers.get(user), user);
        return Normalised.of(text, server)
                .text()
                .replace(folder.toString(), "<folder>")
                // Admission gives the volume of a pod's token a random name.
                .replaceAll("kube-api-access-\\w{5}\\b", "kube-api-access-<random>");
    }

    /** An editor that replaces by sed what a step wants replaced. */
    private Map<String, String> environment(String sed) {
        var environment = new HashMap<>(Map.of("KUBECTL_EXTERNAL_DIFF", "diff -u -N --label=live --label=merged"));
        if (!sed.isEmpty()) {
            environment.put("EDITOR", editor(sed).toString());
        }
        return environment;
    }

    private Path editor(String sed) {
        try {
            Path script = Files.writeString(folder.resolve("editor"), "#!/bin/sh\nexec sed -i '" + sed + "' \"$1\"\n");
            return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        if (name.isEmpty()) {
            return "";
        }
        try (var stream = KubectlSession.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a step left. */
    record Outcome(int exitCode, String output, String errors) {}

    /** Something a person does with kubectl. */
    sealed interface Step {
        /** Its name: unique in a session. */
        String name();

        String user();

        /**
         * A command that ends by itself.
         *
         * @param input the resource file on its standard input, or empty
         * @param editor what its editor does, as a sed script, or empty
         */
        record Command(String name, String user, List<String> arguments, String input, String editor) implements Step {}

        /**
         * A watch.
         *
         * @param firstLines lines that it writes before any change
         * @param changes commands that each make it write one line more
         */
        record Watch(String name, String user, List<String> arguments, long firstLines, List<List<String>> changes)
                implements Step {}
    }
}
