package io.fairlead.benchmarks.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The cost of watches without events, and of their events. */
final class Watches {
    private static final String PATH = "/api/v1/namespaces/default/configmaps?watch=1&rate=";
    static final String HTTP_1 = "http/1.1";
    static final String HTTP_2 = "h2";

    private static final int EVENT_WATCHES = 100;
    private static final int WARM_UP_WATCHES = 20;
    private static final int WARM_UP_EVENTS_PER_SECOND = 500;
    private static final int EVENTS_PER_SECOND = 50;
    private static final int MANY_EVENTS_PER_SECOND = 200;

    private final Arena arena;
    private final Length length;

    Watches(Arena arena, Length length) {
        this.arena = arena;
        this.length = length;
    }

    /**
     * How much the proxy's resident memory grew, what is garbage taken off where that can be asked for. The proxy is to
     * be started just before: what a process has taken once it keeps, and would need no more. So that watches are told
     * from what is left over by opening them, twice as many are opened before, a few at a time.
     */
    double kibPerIdleWatch(Contestant contestant, String protocol) throws IOException, InterruptedException {
        try (Client _ = new Client(contestant, WARM_UP_WATCHES, WARM_UP_EVENTS_PER_SECOND, protocol)) {
            TimeUnit.SECONDS.sleep(length.warmUpSeconds());
        }
        for (int opened = 0; opened < 2 * length.watches(); opened += WARM_UP_WATCHES) {
            new Client(contestant, WARM_UP_WATCHES, 0, protocol).close();
        }
        collectGarbage(contestant);
        double before = contestant.residentKib();
        try (Client _ = new Client(contestant, length.watches(), 0, protocol)) {
            collectGarbage(contestant);
            return Math.max(0, contestant.residentKib() - before) / length.watches();
        }
    }

    double cpuMicrosPerEvent(Contestant contestant) throws IOException, InterruptedException {
        return cpuMicrosPerEvent(contestant, EVENTS_PER_SECOND, length.seconds());
    }

    /**
     * The same of many events: a JVM compiles what they take only after some hundred thousand, and costs the same for a while
     * before.
     */
    double cpuMicrosPerWarmUpEvent(Contestant contestant) throws IOException, InterruptedException {
        return cpuMicrosPerEvent(contestant, MANY_EVENTS_PER_SECOND, length.warmUpSeconds());
    }

    private double cpuMicrosPerEvent(Contestant contestant, int rate, int seconds)
            throws IOException, InterruptedException {
        try (Client client = withEvents(contestant, rate)) {
            double before = contestant.cpuMicros();
            long events = client.events();
            TimeUnit.SECONDS.sleep(seconds); // what is measured
            double spent = contestant.cpuMicros() - before;
            return spent / (client.events() - events);
        }
    }

    /** The events of some seconds. */
    long events(Contestant contestant, int seconds) throws IOException, InterruptedException {
        try (Client client = withEvents(contestant, EVENTS_PER_SECOND)) {
            TimeUnit.SECONDS.sleep(seconds); // what is profiled
            return client.events();
        }
    }

    /** Of each watch so many events a second. */
    private Client withEvents(Contestant contestant, int rate) throws IOException {
        return new Client(contestant, Math.min(EVENT_WATCHES, length.watches()), rate, HTTP_1);
    }

    private void collectGarbage(Contestant contestant) throws IOException, InterruptedException {
        if (contestant.name().equals("Fairlead") || contestant.isFloor()) {
            arena.workshop()
                    .run(
                            "jcmd",
                            Workshop.LOAD_CPU,
                            List.of(
                                    Profile.jcmd(),
                                    Long.toString(contestant.process().pid()),
                                    "GC.run"));
        }
    }

    /** The program that holds the watches; all are open once it is made. */
    private final class Client implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;
        private final Writer input;

        Client(Contestant contestant, int count, int rate, String protocol) throws IOException {
            process = arena.watches(contestant.url() + PATH + rate, count, protocol);
            output = process.inputReader(UTF_8);
            input = process.outputWriter(UTF_8);
            if (!"open".equals(output.readLine())) {
                close();
                throw new IOException("the watches of " + contestant.url() + " do not open");
            }
        }

        long events() throws IOException {
            input.write("\n");
            input.flush();
            return Long.parseLong(String.valueOf(output.readLine()));
        }

        @Override
        public void close() {
            Workshop.end(process);
        }
    }
}
