package io.fairlead.benchmarks.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A passing folder with certificate, bodies and configurations, and the programs that were started on it. */
final class Workshop implements AutoCloseable {
    static final int PROXY_CPU = 0;
    static final int LOAD_CPU = 1;

    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final int POLL_MILLIS = 20;

    private final Path folder;
    private final Map<String, String> words = new HashMap<>();
    private final Deque<Process> started = new ArrayDeque<>();
    private final Map<ProcessHandle, ProcessBuilder> builders = new HashMap<>();

    Workshop() throws IOException {
        folder = Files.createTempDirectory("fairlead-benchmark");
        words.put("work", folder.toString());
        words.put("user", System.getProperty("user.name"));
    }

    /** Whether this machine has a program. */
    static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    /** A free port that configurations know by a name. */
    int port(String name) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            words.put(name, Integer.toString(socket.getLocalPort()));
            return socket.getLocalPort();
        }
    }

    /** A word of the configurations; empty if it is not set. */
    String word(String name) {
        return words.getOrDefault(name, "");
    }

    /** Sets a word of the configurations. */
    void word(String name, String value) {
        words.put(name, value);
    }

    /** Writes a resource of this package with its {@code ${words}} filled in. */
    Path write(String resource, String name) throws IOException {
        try (InputStream in = Workshop.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("no resource " + resource);
            }
            String text = new String(in.readAllBytes(), UTF_8);
            for (Map.Entry<String, String> word : words.entrySet()) {
                text = text.replace("${" + word.getKey() + "}", word.getValue());
            }
            return Files.writeString(path(name), text);
        }
    }

    /** Starts a program on one processor. Its errors go to a file that is named after it. */
    Process start(String name, int cpu, List<String> command) throws IOException {
        return start(
                builder(name, cpu, command).redirectOutput(path(name + ".out").toFile()));
    }

    /** Ends a program and starts it again as before. */
    Process restart(ProcessHandle program) throws IOException {
        for (Process process : List.copyOf(started)) {
            if (process.toHandle().equals(program)) {
                end(process);
                started.remove(process);
            }
        }
        return start(Objects.requireNonNull(builders.remove(program)));
    }

    private Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        started.push(process);
        builders.put(process.toHandle(), builder);
        return process;
    }

    /** Starts a program that is talked to. */
    Process talk(String name, int cpu, List<String> command) throws IOException {
        Process process = builder(name, cpu, command).start();
        started.push(process);
        return process;
    }

    /** Runs a program to its end and answers what it printed; fails if it did. */
    String run(String name, int cpu, List<String> command) throws IOException, InterruptedException {
        Process process = builder(name, cpu, command).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(
                    String.join(" ", command) + " failed: " + output + Files.readString(path(name + ".err")));
        }
        return output;
    }

    /** What a program that was started by this name complained of. */
    String errors(String name) throws IOException {
        return Files.readString(path(name + ".err"));
    }

    void awaitListening(Process process, int port) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException notYet) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        throw new IOException(
                "nothing listens on port " + port + ": " + process.info().commandLine());
    }

    /** Ends what was started, the latest first, and removes the folder. */
    @Override
    public void close() {
        for (Process process : started) {
            end(process);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private ProcessBuilder builder(String name, int cpu, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu)));
        pinned.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(pinned)
                .directory(folder.toFile())
                .redirectError(path(name + ".err").toFile());
        // One cipher for all, whatever each would prefer.
        builder.environment().put("OPENSSL_CONF", path("openssl.cnf").toString());
        return builder;
    }
}
