package io.fairlead.benchmarks.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The time from the launcher's start to its ready message, and to the first answer of a probe; on all processors. */
final class Starts {
    private static final double NANOS_PER_SECOND = 1e9;

    private Starts() {}

    /** The first start, which makes certificates, does not count, unless it is the only one. */
    static void measure(Path launcher, int starts, List<Double> listening, List<Double> answered)
            throws IOException, InterruptedException {
        try (Workshop workshop = new Workshop()) {
            int port = workshop.port("fairlead");
            for (int i = 0; i <= starts; i++) {
                long begin = System.nanoTime();
                Process process = serve(workshop, launcher, port);
                double ready = seconds(begin);
                workshop.run(
                        "curl",
                        Workshop.LOAD_CPU,
                        List.of("curl", "-sSfk", "https://127.0.0.1:" + port + "/livez", "-o", "/dev/null"));
                if (i > 0 || starts == 0) {
                    listening.add(ready);
                    answered.add(seconds(begin));
                }
                Workshop.end(process);
            }
        }
    }

    private static Process serve(Workshop workshop, Path launcher, int port) throws IOException {
        Process process = new ProcessBuilder(
                        launcher.toString(),
                        "serve",
                        "--data-dir",
                        workshop.path("data").toString(),
                        "--secure-port",
                        Integer.toString(port),
                        "--metrics-address",
                        "off",
                        "--shutdown-delay",
                        "0s")
                .redirectError(workshop.path("serve.err").toFile())
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = String.valueOf(output.readLine());
        if (!line.contains("is ready")) {
            Workshop.end(process);
            throw new IOException("the gateway does not start: " + line);
        }
        return process;
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    }
}
