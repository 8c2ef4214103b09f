package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where things lie in the source checkout that is being tested. */
final class Checkout {
    private static final Path MODULE = Path.of(Objects.requireNonNullElse(System.getProperty("basedir"), ""))
            .toAbsolutePath();

    private Checkout() {}

    /** The launcher, as a user finds it who has started it before. */
    static Path launcher() {
        return Launcher.FILE;
    }

    static Path root() {
        return Objects.requireNonNull(MODULE.getParent(), "the module lies below the repository's root");
    }

    /** This Maven module. */
    static Path module() {
        return MODULE;
    }

    /** A program of this machine. */
    static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** An empty folder for a test's data and logs; what an earlier run left there is removed. */
    static Path scratch(String name) {
        Path folder = MODULE.resolve("target").resolve("it").resolve(name);
        try {
            removeTree(folder);
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void removeTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    static void copyTree(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.sorted().toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Launcher {
        static final Path FILE = root().resolve("fairlead");

        static {
            StartCache.make(FILE);
        }
    }
}
