package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A program that a test started: its output lies in files, and it ends with the test or, at the latest, with this JVM. */
final class OwnedProcess implements AutoCloseable {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 40;
    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final Path output;
    private final Path errors;

    /** Starts a program whose two streams are appended to {@code name.out} and {@code name.log} in a folder. */
    static OwnedProcess start(String name, Path folder, Map<String, String> environment, List<String> command) {
        Path output = folder.resolve(name + ".out");
        Path errors = folder.resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        builder.environment().putAll(environment);
        try {
            return new OwnedProcess(name, builder.start(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OwnedProcess(String name, Process process, Path output, Path errors) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.errors = errors;
        LIVE.add(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** All that was written to standard output so far, by earlier processes of the same name as well. */
    String output() {
        return read(output);
    }

    /** The same of standard error. */
    String errors() {
        return read(errors);
    }

    /** The end of both streams, for failure messages. */
    String tail() {
        List<String> lines = (output() + errors()).lines().toList();
        return name + " wrote:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    /** SIGTERM. */
    void signal() {
        process.destroy();
    }

    /** SIGTERM; returns the exit code. */
    int terminate(Duration timeout) {
        signal();
        return awaitEnd(timeout);
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        var _ = awaitEnd(END_TIMEOUT);
    }

    int awaitEnd(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + " did not end within " + timeout + "; " + tail());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ends", e);
        }
        LIVE.remove(process);
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
