package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A client that does no harm: it reads a ConfigMap and changes it every few milliseconds, over a connection that it replaces
 * now and then. Whatever is not a 2xx is a failure. It is a process of its own ({@link HealthyProgram}): beside thousands of
 * attackers it would wait for them and not for Fairlead.
 */
final class HealthyClient implements AutoCloseable {
    private final String name;
    private final Process process;
    private final BufferedReader said;

    /** Begins; the ConfigMap is there. */
    HealthyClient(String name, int port, int address, String token, String path) {
        this.name = name;
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HealthyProgram.class.getName(),
                            String.valueOf(port),
                            String.valueOf(address),
                            token,
                            path)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** What came of the requests since the last call. */
    Service service() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            List<Long> nanos = words(" ").map(Long::valueOf).sorted().toList();
            return new Service(name, nanos, words(" \\| ").toList());
        } catch (IOException e) {
            throw new UncheckedIOException("healthy client \"" + name + "\"", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private Stream<String> words(String separator) throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new IOException("it has ended");
        }
        return Arrays.stream(line.split(separator)).filter(word -> !word.isEmpty());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * How a healthy client was served for a while.
     *
     * @param nanos what each request took, from the first byte sent to the last received, in order
     * @param failures the first of them
     */
    record Service(String name, List<Long> nanos, List<String> failures) {
        /** Both of a client, one after the other. */
        Service and(Service later) {
            return new Service(
                    name,
                    Stream.concat(nanos.stream(), later.nanos.stream()).sorted().toList(),
                    Stream.concat(failures.stream(), later.failures.stream()).toList());
        }

        /** What so many of a hundred requests took at most. */
        Duration percentile(int percent) {
            return nanos.isEmpty()
                    ? Duration.ZERO
                    : Duration.ofNanos(nanos.get(Math.min(nanos.size() - 1, nanos.size() * percent / 100)));
        }

        @Override
        public String toString() {
            return "%s: %d requests, p50 %d ms, p99 %d ms, longest %d ms%s"
                    .formatted(
                            name,
                            nanos.size(),
                            percentile(50).toMillis(),
                            percentile(99).toMillis(),
                            percentile(100).toMillis(),
                            failures.isEmpty() ? "" : ", failures " + failures);
        }
    }
}
