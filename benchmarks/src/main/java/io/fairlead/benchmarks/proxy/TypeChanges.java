package io.fairlead.benchmarks.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a CRD's change at an attached cluster's API server takes to be seen in the index, by a caller that asks the
 * gateway without a pause.
 */
final class TypeChanges {
    private static final double MICROS_PER_MILLI = 1_000;

    private TypeChanges() {}

    /** Milliseconds of each change. The API server is a simulated one, whose own work hardly counts. */
    static List<Double> millis(Arena arena, Process server, int count) throws IOException {
        Writer input = server.outputWriter(UTF_8);
        input.write(count + " " + arena.get("fairlead types").url() + "\n");
        input.flush();
        BufferedReader output = server.inputReader(UTF_8);
        List<Double> millis = new ArrayList<>();
        while (millis.size() < count) {
            String micros = output.readLine();
            if (micros == null) {
                throw new IOException(
                        "the changes of a CRD are not seen: " + arena.workshop().errors("types"));
            }
            millis.add(Long.parseLong(micros) / MICROS_PER_MILLI);
        }
        return millis;
    }
}
