package io.fairlead.ittests;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a {@link HealthyClient} does, in a process of its own; tells what came of it for each line that it reads, until the end. */
final class HealthyProgram {
    private static final int PAUSE_MILLIS_MIN = 20;
    private static final int PAUSE_MILLIS_MAX = 50;
    private static final int REQUESTS_OF_A_CONNECTION = 10;
    private static final int FAILURES_KEPT = 5;

    private final int port;
    private final int address;
    private final String token;
    private final String path;
    private final Random random;
    private final List<Long> nanos = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private HealthyProgram(int port, int address, String token, String path) {
        this.port = port;
        this.address = address;
        this.token = token;
        this.path = path;
        this.random = new Random(address);
    }

    /** Takes a port, the last byte of the loopback address to come from, a token, and the path of a ConfigMap that is there. */
    public static void main(String[] arguments) throws IOException {
        var program = new HealthyProgram(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), arguments[2], arguments[3]);
        Thread.ofPlatform().daemon().name("healthy").start(program::work);
        try (var told = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            while (told.readLine() != null) {
                program.report();
            }
        }
    }

    /** One line with the time that each request took, and one with the first failures. */
    private synchronized void report() {
        System.out.println(nanos.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        System.out.println(String.join(" | ", failures).replaceAll("\\s+", " "));
        nanos.clear();
        failures.clear();
    }

    private void work() {
        @Nullable WireConnection connection = null;
        for (int number = 0; true; number++) {
            long begun = System.nanoTime();
            try {
                if (connection == null) {
                    connection = WireConnection.open(port, address);
                }
                Answer answer = request(connection, number);
                note(System.nanoTime() - begun, answer.status() / 100 == 2 ? null : answer.toString());
                if (number % REQUESTS_OF_A_CONNECTION == REQUESTS_OF_A_CONNECTION - 1) {
                    connection.close();
                    connection = null;
                }
            } catch (IOException e) {
                note(System.nanoTime() - begun, e.toString());
                if (connection != null) {
                    connection.close();
                }
                connection = null;
            }
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX))
                    .toNanos());
        }
    }

    private Answer request(WireConnection connection, int number) throws IOException {
        return number % 2 == 0
                ? connection.exchange("GET", path, token, "", "")
                : connection.exchange(
                        "PATCH",
                        path,
                        token,
                        "application/merge-patch+json",
                        "{\"data\":{\"number\":\"" + number + "\"}}");
    }

    private synchronized void note(long took, @Nullable String failure) {
        nanos.add(took);
        if (failure != null && failures.size() < FAILURES_KEPT) {
            failures.add(failure);
        }
    }
}
