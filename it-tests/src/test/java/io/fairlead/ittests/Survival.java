package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HealthyClient.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What befalls one Fairlead under attacks: how its healthy clients are served, what attackers are answered, and what is held afterwards. */
final class Survival implements AutoCloseable {
    private static final Duration PROMISED = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration BACK_TIMEOUT = Duration.ofMinutes(3);

    /** Carriers of virtual threads, of which there are at most sixteen here, are made when they are needed first. */
    private static final int THREADS_TOLERANCE = 16;

    /** Clusters that never answer are asked again and again. */
    private static final int CONNECTIONS_TOLERANCE = 6;

    /** The store's logs come and go. */
    private static final int DESCRIPTORS_TOLERANCE = 20;

    private static final int TABLES_MAX = 128;

    private static final int REQUESTS_MIN = 20;

    /** What hosted clusters may keep of changes for watches: a third of five eighths of a quarter of the heap. */
    private static final long HISTORY_BYTES_MAX = (512L << 20) / 4 / 8 * 5 / 3;

    private final AttackedFairlead attacked;
    private final List<Attack> attacks;
    private final long typeBytesMax;
    private final Map<String, Service> served = new LinkedHashMap<>();
    private final List<String> late = new ArrayList<>();
    private long descriptorsBefore;
    private Footprint before = new Footprint(0, 0, 0, 0);

    /**
     * Begins nothing yet.
     *
     * @param typeBytesMax what may be made of the definitions that attacks store
     */
    Survival(AttackedFairlead attacked, List<Attack> attacks, long typeBytesMax) {
        this.attacked = attacked;
        this.attacks = attacks;
        this.typeBytesMax = typeBytesMax;
    }

    /** Makes what the attacks need, and notes what is held while only healthy clients are there. */
    void begin() throws Exception {
        for (Attack attack : attacks) {
            attack.prepare(attacked);
        }
        listen();
        before = attacked.footprint();
        descriptorsBefore = attacked.descriptors();
        report("before: " + before);
    }

    /** Has one attack go on for so long, which comes to its full size, and judges how others were served. */
    void endureInFull(Duration time, Attack attack) throws Exception {
        AttackRun run = endure(time, attack).getFirst();
        judge();
        assertThat(run.mostOpen())
                .as("connections of %s that were open at once", attack.name())
                .isGreaterThanOrEqualTo(attack.openAtOnce());
    }

    /** Has attacks go on at the same time for so long. */
    List<AttackRun> endure(Duration time, Attack... together) throws Exception {
        String names = Stream.of(together).map(Attack::name).collect(Collectors.joining(" and "));
        forget();
        List<AttackRun> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Attack attack : together) {
                AttackRun run = new AttackRun(attacked.port(), time);
                runs.add(run);
                running.add(threads.submit(() -> {
                    attack.run(attacked, run);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            runs.forEach(AttackRun::close);
        }
        for (int i = 0; i < together.length; i++) {
            report("%s had at most %d connections at once, and was answered %s"
                    .formatted(
                            together[i].name(),
                            runs.get(i).mostOpen(),
                            runs.get(i).outcomes()));
            assertRefusals(together[i], runs.get(i));
        }
        assertThat(attacked.isAlive()).as("the process lives after %s", names).isTrue();
        note(names);
        return runs;
    }

    /** Notes each client that waited longer than a second for more than one of a hundred answers since the last time. */
    void judge() {
        served.values().forEach(service -> {
            if (service.nanos().size() < REQUESTS_MIN || service.percentile(99).compareTo(PROMISED) > 0) {
                late.add(service.toString());
            }
        });
        served.clear();
    }

    /** No client had to wait, each time it was judged. */
    void assertServed() {
        judge();
        assertThat(late).isEmpty();
    }

    /** Heap, buffers, threads, connections and descriptors are as before, once what was cut is closed. */
    void assertBack() {
        Footprint most = before.withMoreHeap(HISTORY_BYTES_MAX + typeBytesMax);
        Await.until("no more than " + most + " is held", BACK_TIMEOUT, () -> {
            LockSupport.parkNanos(QUIET.toNanos());
            Footprint now = attacked.footprint();
            long descriptors = attacked.descriptors();
            double unparsed = attacked.metrics().sum("fairlead_client_unparsed_bytes");
            double buffered = attacked.metrics().sum("fairlead_buffered_bytes");
            report("after: %s, %d descriptors (%d before), %.0f bytes unparsed, %.0f buffered"
                    .formatted(now, descriptors, descriptorsBefore, unparsed, buffered));
            return now.heapBytes() <= most.heapBytes()
                    && now.threads() <= most.threads() + THREADS_TOLERANCE
                    && now.connections() <= most.connections() + CONNECTIONS_TOLERANCE
                    && descriptors <= descriptorsBefore + DESCRIPTORS_TOLERANCE
                    && attacked.tables() <= TABLES_MAX
                    && unparsed == 0
                    && buffered <= HISTORY_BYTES_MAX;
        });
    }

    /** Is killed and begins with what is stored, with so many descriptors. */
    void restart(int descriptors) throws Exception {
        long begun = System.nanoTime();
        attacked.restart(descriptors);
        report("restarted after " + Duration.ofNanos(System.nanoTime() - begun).toMillis() + " ms");
        listen();
    }

    @Override
    public void close() {
        attacks.forEach(Attack::close);
        attacked.close();
    }

    /** Lets the healthy clients begin: what a new process loads before its first answers is not time that Fairlead took. */
    private void listen() {
        for (HealthyClient client : attacked.healthyClients()) {
            var answered = new AtomicInteger();
            Await.until("the " + client + " is served", READY_TIMEOUT, () -> {
                LockSupport.parkNanos(QUIET.toNanos() / 10);
                return answered.addAndGet(client.service().nanos().size()) >= REQUESTS_MIN;
            });
        }
        LockSupport.parkNanos(QUIET.toNanos());
        forget();
    }

    /** What is served in between is not judged. */
    private void forget() {
        attacked.healthyClients().forEach(HealthyClient::service);
    }

    private void note(String names) throws IOException {
        for (HealthyClient client : attacked.healthyClients()) {
            Service service = client.service();
            report("during " + names + ", the " + service);
            assertThat(service.failures())
                    .as("failures of the %s during %s", service.name(), names)
                    .isEmpty();
            served.merge(service.name(), service, Service::and);
        }
    }

    private void report(String line) throws IOException {
        Files.writeString(
                attacked.folder().resolve("survival.txt"),
                line + System.lineSeparator(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static void assertRefusals(Attack attack, AttackRun run) {
        Set<Integer> allowed = attack.refusals();
        run.outcomes().keySet().stream()
                .filter(outcome -> outcome.matches("\\d+"))
                .map(Integer::valueOf)
                .filter(status -> status / 100 != 2)
                .forEach(status -> assertThat(allowed).as(attack.name()).contains(status));
    }
}
