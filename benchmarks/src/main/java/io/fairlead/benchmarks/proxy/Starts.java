package io.fairlead.benchmarks.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The time from a program's start to its ready message, and to the first answer of a probe: of the launcher, of the gateway
 * without its stages, and of the least that a JVM can do; in turns, on all processors.
 */
final class Starts {
    static final String FAIRLEAD = "Fairlead";
    static final String BARE = "bare JVM with TLS";

    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> PROGRAMS = List.of(FAIRLEAD, Floor.NAME, BARE);

    private final Map<String, List<Double>> listening = new TreeMap<>();
    private final Map<String, List<Double>> answered = new TreeMap<>();

    private Starts() {}

    /** The first start, which makes certificates, does not count, unless it is the only one. */
    static Starts measure(Arena arena, int starts) throws IOException, InterruptedException {
        Starts measured = new Starts();
        try (Workshop workshop = new Workshop()) {
            int port = workshop.port("started");
            String store = keyStore(workshop);
            Map<String, List<String>> commands = Map.of(
                    FAIRLEAD,
                    serve(workshop, arena.launcher(), port),
                    Floor.NAME,
                    arena.floorCommand(port),
                    BARE,
                    bare(store, port));
            for (int i = 0; i <= starts; i++) {
                for (String program : i % 2 == 0 ? PROGRAMS : PROGRAMS.reversed()) {
                    measured.start(
                            workshop,
                            program,
                            Objects.requireNonNull(commands.get(program)),
                            port,
                            i > 0 || starts == 0);
                }
            }
        }
        return measured;
    }

    /** Seconds of each start of a program. */
    List<Double> listening(String program) {
        return listening.getOrDefault(program, List.of());
    }

    /** Seconds of each start of a program until it had answered. */
    List<Double> answered(String program) {
        return answered.getOrDefault(program, List.of());
    }

    private void start(Workshop workshop, String program, List<String> command, int port, boolean counts)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(workshop.path("started.err").toFile())
                .start();
        try {
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = String.valueOf(output.readLine());
            if (!line.contains("is ready")) {
                throw new IOException(program + " does not start: " + line);
            }
            double ready = seconds(begin);
            workshop.run(
                    "curl",
                    Workshop.LOAD_CPU,
                    List.of("curl", "-sSfk", "https://127.0.0.1:" + port + "/livez", "-o", "/dev/null"));
            if (counts) {
                listening.computeIfAbsent(program, _ -> new ArrayList<>()).add(ready);
                answered.computeIfAbsent(program, _ -> new ArrayList<>()).add(seconds(begin));
            }
        } finally {
            Workshop.end(process);
        }
    }

    private static List<String> serve(Workshop workshop, Path launcher, int port) {
        return List.of(
                launcher.toString(),
                "serve",
                "--data-dir",
                workshop.path("data").toString(),
                "--secure-port",
                Integer.toString(port),
                "--metrics-address",
                "off",
                "--shutdown-delay",
                "0s");
    }

    private static List<String> bare(String store, int port) throws IOException {
        try {
            Path classes = Path.of(BareServer.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseParallelGC",
                    "-cp",
                    classes.toString(),
                    BareServer.class.getName(),
                    store,
                    Integer.toString(port));
        } catch (URISyntaxException nowhere) {
            throw new IOException(nowhere);
        }
    }

    private static String keyStore(Workshop workshop) throws IOException, InterruptedException {
        String store = workshop.path("bare.p12").toString();
        workshop.run(
                "keytool",
                Workshop.LOAD_CPU,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        BareServer.PASSWORD,
                        "-alias",
                        "bare",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost"));
        return store;
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    }
}
