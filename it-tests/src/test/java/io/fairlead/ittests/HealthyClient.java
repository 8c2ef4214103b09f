package io.fairlead.ittests;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client that does no harm: it reads a ConfigMap and changes it every few milliseconds, over a connection that it replaces
 * now and then. Whatever is not a 2xx is a failure.
 */
final class HealthyClient implements AutoCloseable {
    private static final int PAUSE_MILLIS_MIN = 20;
    private static final int PAUSE_MILLIS_MAX = 50;
    private static final int REQUESTS_OF_A_CONNECTION = 40;
    private static final int FAILURES_KEPT = 5;

    private final String name;
    private final int address;
    private final String token;
    private final String path;
    private final Random random;
    private final Thread thread;
    private final List<Long> nanos = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private volatile int port;
    private volatile boolean stopped;

    /** Begins; the ConfigMap is there. */
    HealthyClient(String name, int port, int address, String token, String path, long seed) {
        this.name = name;
        this.port = port;
        this.address = address;
        this.token = token;
        this.path = path;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().name("healthy-" + name).start(this::work);
    }

    /** What came of the requests since the last call. */
    synchronized Service service() {
        var service = new Service(name, nanos.stream().sorted().toList(), List.copyOf(failures));
        nanos.clear();
        failures.clear();
        return service;
    }

    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Duration.ofMinutes(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        @Nullable WireConnection connection = null;
        for (int number = 0; !stopped; number++) {
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
        if (connection != null) {
            connection.close();
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
