package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plain requests within a network that the tests are not in, one at a time: a {@link HttpProbe} in a process of its own. */
final class NetworkProbe implements AutoCloseable {
    private static final Gson GSON = new Gson();

    private final Process process;
    private final BufferedReader told;

    /** One that notes in a folder what goes wrong. */
    NetworkProbe(NetworkNamespace network, Path folder) {
        try {
            process = new ProcessBuilder(network.program(NetworkProbe.class, List.of()))
                    .redirectError(folder.resolve("probe.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        told = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** Answers each line with one. */
    public static void main(String[] arguments) throws Exception {
        // Which headers of a caller end at a proxy is for the caller to say too.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
        Map<String, HttpProbe> probes = new TreeMap<>();
        try (var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                Request request = GSON.fromJson(line, Request.class);
                HttpProbe probe = probes.computeIfAbsent(request.server(), server -> new HttpProbe(server, Map.of()));
                long begun = System.nanoTime();
                HttpProbe.Answer answer =
                        probe.send(request.method(), request.target(), request.headers(), request.body());
                long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
                System.out.println(GSON.toJson(new Answer(
                        answer.status(),
                        answer.headers()
                                .getOrDefault("content-type", List.of(""))
                                .getFirst(),
                        answer.body(),
                        millis)));
            }
        }
    }

    synchronized Answer ask(Request request) {
        try {
            process.getOutputStream().write((GSON.toJson(request) + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
            String line = told.readLine();
            if (line == null) {
                throw new IOException("the probe has ended; see probe.log");
            }
            return GSON.fromJson(line, Answer.class);
        } catch (IOException e) {
            throw new UncheckedIOException(request.toString(), e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * What to ask.
     *
     * @param server {@code https://127.0.0.1:PORT}, with what stands before every path
     * @param body empty for none
     */
    record Request(String server, String method, String target, Map<String, String> headers, String body) {}

    /** What was answered, and how long it took. */
    record Answer(int status, String contentType, String body, long millis) {}
}
