package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A Go module of these tests and the programs that are built from it.
 *
 * <p>They are kept outside the tree, in {@code $XDG_CACHE_HOME/fairlead/<name>}, by the hash of all that determines
 * them: the module's files and the flags. Runs that meet wait for each other.
 *
 * @param name the module's folder below this Maven module, and the cache's
 * @param tags the build tags, comma-separated; empty for none
 * @param command what of {@code go} builds a program
 */
record GoModule(String name, List<Program> programs, String tags, List<String> command) {
    /** Classes of tests that build the same at once: a lock on a file is one of the whole JVM. */
    private static final Map<Path, Object> BUILDING = new ConcurrentHashMap<>();

    /** One that is built without tags. */
    GoModule(String name, List<Program> programs) {
        this(name, programs, "");
    }

    GoModule(String name, List<Program> programs, String tags) {
        this(name, programs, tags, List.of("build"));
    }

    /** One whose programs run the tests of a package. */
    static GoModule ofTests(String name, List<Program> programs) {
        return new GoModule(name, programs, "", List.of("test", "-c", "-vet=off"));
    }

    /** The folder that holds all programs, built now if they are not there yet. */
    Path built() {
        Path folder = cache().resolve(key());
        synchronized (BUILDING.computeIfAbsent(folder, _ -> new Object())) {
            if (!holdsAll(folder)) {
                buildUnderLock(folder);
            }
        }
        return folder;
    }

    boolean holdsAll(Path folder) {
        return programs.stream().allMatch(program -> Files.isExecutable(folder.resolve(program.name())));
    }

    private Path cache() {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return base.resolve("fairlead").resolve(name);
    }

    private String key() {
        try (Stream<Path> files = Files.list(sources())) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.update(Files.readAllBytes(file));
            }
            digest.update((programs + tags).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 32);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path sources() {
        return Checkout.module().resolve(name);
    }

    private void buildUnderLock(Path folder) {
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                Objects.requireNonNull(held);
                for (Program program : programs) {
                    if (!Files.isExecutable(folder.resolve(program.name()))) {
                        build(program, folder);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Built aside and renamed, so that nobody ever finds half a program. */
    private void build(Program program, Path folder) throws IOException {
        Path aside = folder.resolve(program.name() + ".new");
        Path log = folder.resolve(program.name() + ".build.log");
        Process build = new ProcessBuilder(line(program, aside))
                .directory(sources().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (build.waitFor() != 0) {
                throw new IllegalStateException("building " + program.source()
                        + " failed (Go 1.26 or newer is needed on the path):\n" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            build.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while building " + program.name(), e);
        }
        Files.move(aside, folder.resolve(program.name()), StandardCopyOption.ATOMIC_MOVE);
    }

    private List<String> line(Program program, Path target) {
        var line = new ArrayList<>(List.of("go"));
        line.addAll(command);
        line.addAll(List.of("-ldflags=" + program.flags(), "-tags=" + tags, "-o", target.toString(), program.source()));
        return line;
    }

    /** A program, the Go package of its main function and its linker flags. */
    record Program(String name, String source, String flags) {}
}
