package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The ahead-of-time cache of the jars under test. The launcher makes it only of what it has built itself; these tests start
 * what Maven has built, some hundred times, each of which would take twice as long without. The distribution has one of
 * the same jars, which fits as soon as they have the same times.
 */
final class StartCache {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Where the launcher notes the sizes of the jars that the cache is for. */
    private static final String JARS = "classes.jars";

    /** The cache of all that is not a server. */
    private static final String COMMANDS = "commands.aot";

    /** Where the launcher keeps Netty's libraries. */
    private static final String NATIVE = "native";

    private StartCache() {}

    /** Makes it if it is not there; test runs that meet wait for each other. */
    static void make(Path launcher) {
        try {
            Path folder = Files.createDirectories(Checkout.module().resolve("target/it"));
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("start-cache.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                Objects.requireNonNull(held);
                Path cache = jars(launcher, folder).resolve("classes.aot");
                if (!Files.exists(cache)) {
                    take(cache);
                }
                if (!Files.exists(cache)) {
                    train(launcher, cache);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copy of the jars from which the launcher runs. */
    private static Path jars(Path launcher, Path folder) throws IOException {
        Output version = Output.of(folder, Map.of(), "", TIMEOUT, List.of(launcher.toString(), "version"));
        try (Stream<Path> copies = Files.list(Checkout.root().resolve("cli/target/run"))) {
            return copies.filter(copy -> Files.exists(copy.resolve("complete")))
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new AssertionError("the launcher has no jars: " + version));
        }
    }

    /** That of the distribution, if the build has made one. */
    private static void take(Path cache) throws IOException {
        Path distribution = Checkout.root().resolve("cli/target/distribution/lib");
        Path made = distribution.resolve("classes.aot");
        if (!Files.exists(made)) {
            return;
        }
        try (Stream<Path> files = Files.list(distribution)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Path copy = cache.resolveSibling(String.valueOf(jar.getFileName()));
                if (!Files.exists(copy) || Files.mismatch(jar, copy) >= 0) {
                    return;
                }
                Files.setLastModifiedTime(copy, Files.getLastModifiedTime(jar));
            }
        }
        Path libraries = Files.createDirectories(cache.resolveSibling(NATIVE));
        try (Stream<Path> unpacked = Files.list(distribution.resolve(NATIVE))) {
            for (Path library : unpacked.toList()) {
                Files.copy(library, libraries.resolve(library.getFileName()));
            }
        }
        for (String further : List.of(JARS, COMMANDS)) {
            Files.copy(distribution.resolve(further), cache.resolveSibling(further));
        }
        Files.copy(made, cache);
    }

    /** As little as will do, and none for commands: a server is told to end once it is ready. */
    private static void train(Path launcher, Path cache) throws IOException {
        Path folder = Checkout.scratch("StartCache");
        Path made = cache.resolveSibling("classes.new");
        List<String> serve = List.of(
                launcher.toString(),
                "serve",
                "--data-dir=" + folder.resolve("data"),
                "--bind-address=127.0.0.1",
                "--secure-port=0",
                "--metrics-address=off",
                "--shutdown-delay=0s");
        var environment = Map.of("FAIRLEAD_JAVA_OPTS", "-XX:AOTCacheOutput=" + made);
        try (OwnedProcess server = OwnedProcess.start("serve", folder, environment, serve)) {
            Await.until(
                    "a server is ready; " + server.tail(),
                    TIMEOUT,
                    () -> server.output().contains("is ready"));
            if (server.terminate(TIMEOUT) != 0) {
                throw new AssertionError(server.tail());
            }
        }
        StringBuilder sizes = new StringBuilder();
        try (Stream<Path> files = Files.list(cache.resolveSibling(""))) {
            for (Path jar : files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                sizes.append(Files.size(jar))
                        .append(" ./")
                        .append(jar.getFileName())
                        .append('\n');
            }
        }
        Files.writeString(cache.resolveSibling(JARS), sizes);
        Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
    }
}
