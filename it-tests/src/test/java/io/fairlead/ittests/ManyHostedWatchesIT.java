package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import io.fairlead.ittests.NumberedWatch.Pace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many watchers of one resource of a hosted cluster under a steady rate of writes, one of ten of them slow: the others see each event in
 * order, the slow ones are ended and go on where they were, and what is held for all of them is bounded.
 */
@Isolated("it measures a heap under many watches")
final class ManyHostedWatchesIT {
    private static final String CLUSTER = "watched";
    private static final int OBJECTS = 10;
    private static final int SLOW_ONE_OF = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /**
     * The slow clients read 8 KiB a second, and a kernel tells that there is room for more when half of the 64 KiB that it
     * keeps unsent are gone: they are seen to read every four seconds.
     */
    private static final String SEEN_READING = "8s";

    private static final Duration LONG = Duration.ofMinutes(20);
    private static final double TOLERANCE = 0.05;

    /** What is kept on purpose: the store's newest changes (16 MiB), those of the resource (4 MiB), series and pages. */
    private static final long KEPT_BYTES_MAX = 24L << 20;

    private static final int HEAP_MEBIBYTES = 512;

    /** Of the heap, by default (limits.hostedBytesMax). */
    private static final long HOSTED_BYTES_MAX = HEAP_MEBIBYTES * (1L << 20) / 4 * 5 / 8;

    /** A connection, its TLS engine and its stream. */
    private static final long BYTES_PER_WATCH_MAX = 64L * 1024;

    @Test
    void watchersOfOneResource_seeEachEventInOrder_andSlowOnesEnd() throws Exception {
        run(
                new Load(150, 100, 900, 4_000),
                List.of("--limits-watch-buffer-events-max", "128", "--limits-stalled-reader-timeout", SEEN_READING));
    }

    @Test
    @Tag("endurance")
    void thousandWatchersOfOneResource_seeEachEventInOrder_andSlowOnesEnd() throws Exception {
        run(new Load(1_000, 200, 24_000, 200), List.of());
    }

    /**
     * What is asked of the server.
     *
     * @param padding bytes of an object beside the rest
     */
    private record Load(int watchers, int writesPerSecond, int writes, int padding) {
        String object(int number, int tick) {
            return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"ticks-" + number
                    + "\"},\"data\":{\"padding\":\"" + "x".repeat(padding) + "\",\"tick\":\"" + tick + "\"}}";
        }
    }

    private static void run(Load load, List<String> limits) throws Exception {
        Path folder = Checkout.scratch("ManyHostedWatchesIT/" + load.watchers());
        int metricsPort = FreePorts.take(1).getFirst();
        List<String> bounded = List.of(
                "env",
                "FAIRLEAD_JAVA_OPTS=-Xmx" + HEAP_MEBIBYTES + "m",
                Checkout.launcher().toString());
        String[] flags = Stream.concat(Stream.of(ManyClustersIT.flags(folder, metricsPort)), limits.stream())
                .toArray(String[]::new);
        try (FairleadProcess fairlead = FairleadProcess.startBy(bounded, folder, flags);
                var metrics = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of());
                var probe = HostedTenants.probe(fairlead)) {
            HostedTenants.create(probe, List.of(CLUSTER));
            Footprint before = ManyClustersIT.settled(fairlead, metrics);
            ManyClustersIT.report(folder, "before", before);
            long bound = before.heapBytes() + HOSTED_BYTES_MAX + load.watchers() * BYTES_PER_WATCH_MAX;

            try (var crowd = new Crowd(fairlead, probe, load)) {
                try (var writing = new Writes(fairlead.endpoint(), crowd.collection, load)) {
                    long begun = System.nanoTime();
                    awaitWrites(writing, load.writes() / 2);
                    Footprint amid = Footprint.of(fairlead, metrics);
                    ManyClustersIT.report(folder, "amid writes", amid);
                    assertThat(amid.heapBytes()).isLessThanOrEqualTo(bound);
                    awaitWrites(writing, load.writes());
                    writing.stop();
                    int all = writing.done();
                    record(folder, all + " writes in " + Duration.ofNanos(System.nanoTime() - begun));
                    assertThat(writing.faults()).isEmpty();
                    crowd.check(all);
                }
            }
            Footprint expected = before.withMoreHeap(KEPT_BYTES_MAX);
            Await.until("no more than " + expected + " is held (" + folder + ")", PATIENCE, () -> {
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
                Footprint now = Footprint.of(fairlead, metrics);
                ManyClustersIT.report(folder, "after", now);
                return now.heapBytes() <= expected.heapBytes() * (1 + TOLERANCE)
                        && now.connections() <= before.connections() + OBJECTS;
            });
        }
    }

    private static void awaitWrites(Writes writing, int count) {
        Await.until(
                count + " writes are done",
                LONG,
                () -> writing.done() >= count || !writing.faults().isEmpty());
    }

    private static void record(Path folder, String line) throws IOException {
        Files.writeString(folder.resolve("measured.txt"), line + "\n");
    }

    /** The watchers, each on a connection of its own. */
    private static final class Crowd implements AutoCloseable {
        private final String collection = StoredKind.CONFIG_MAP.collection(CLUSTER);
        private final List<NumberedWatch> watches = new ArrayList<>();
        private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();

        Crowd(FairleadProcess fairlead, HttpProbe probe, Load load) throws Exception {
            long revision = create(probe, load);
            int port = URI.create(fairlead.endpoint()).getPort();
            for (int i = 0; i < load.watchers(); i++) {
                Pace pace = i % SLOW_ONE_OF != 0 ? Pace.FAST : i / SLOW_ONE_OF % 2 == 0 ? Pace.SLOW : Pace.STALLED;
                NumberedWatch watch = NumberedWatch.open(pace, port, collection, revision);
                watches.add(watch);
                readers.execute(watch::read);
            }
        }

        /** Makes the objects; the revision after which their changes begin. */
        private long create(HttpProbe probe, Load load) throws Exception {
            long revision = 0;
            for (int i = 0; i < OBJECTS; i++) {
                Answer answer = probe.send("POST", collection, "application/json", load.object(i, 0));
                assertThat(answer.status()).as(answer.body()).isEqualTo(201);
                revision = JsonParser.parseString(answer.body())
                        .getAsJsonObject()
                        .getAsJsonObject("metadata")
                        .get("resourceVersion")
                        .getAsLong();
            }
            return revision;
        }

        /** Each has heard of all changes; the fast ones by one watch, the others by more. */
        void check(int changes) {
            awaitAll(Pace.FAST, changes);
            for (NumberedWatch watch : watches) {
                watch.hurry();
            }
            for (Pace pace : Pace.values()) {
                awaitAll(pace, changes);
                assertThat(watches)
                        .filteredOn(watch -> watch.pace() == pace)
                        .allSatisfy(watch -> assertThat(watch.ends() == 0)
                                .as("the server lets a %s watch go on: %d ends", pace, watch.ends())
                                .isEqualTo(pace == Pace.FAST));
            }
        }

        private void awaitAll(Pace pace, int changes) {
            Await.untilNothing("each " + pace + " watch hears of " + changes + " changes", PATIENCE, () -> {
                List<NumberedWatch> of =
                        watches.stream().filter(watch -> watch.pace() == pace).toList();
                List<String> faults = of.stream()
                        .map(NumberedWatch::fault)
                        .filter(fault -> !fault.isEmpty())
                        .toList();
                if (!faults.isEmpty()) {
                    throw new AssertionError(
                            faults.size() + " of " + of.size() + " " + pace + ": " + faults.getFirst());
                }
                long missing =
                        of.stream().filter(watch -> watch.heard() != changes).count();
                return missing == 0 ? "" : missing + " of " + of.size() + " do not yet";
            });
        }

        @Override
        public void close() {
            watches.forEach(NumberedWatch::close);
            readers.shutdownNow();
            readers.close();
        }
    }

    /** Writers that change an object each at a steady rate. */
    private static final class Writes implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<?>> running = new ArrayList<>();
        private final AtomicInteger done = new AtomicInteger();
        private final Queue<String> faults = new ConcurrentLinkedQueue<>();
        private volatile boolean stopped;

        Writes(String server, String collection, Load load) {
            long everyNanos = Duration.ofSeconds(1).toNanos() * OBJECTS / load.writesPerSecond();
            for (int i = 0; i < OBJECTS; i++) {
                int number = i;
                running.add(threads.submit(() -> change(server, collection, load, number, everyNanos)));
            }
        }

        int done() {
            return done.get();
        }

        List<String> faults() {
            return List.copyOf(faults);
        }

        void stop() {
            stopped = true;
            Await.until("the writers end", PATIENCE, () -> running.stream().allMatch(Future::isDone));
        }

        @Override
        public void close() {
            stopped = true;
            threads.shutdownNow();
            threads.close();
        }

        /** A machine that is too slow for the rate has fewer writes. */
        private void change(String server, String collection, Load load, int number, long everyNanos) {
            try (var probe = HttpProbe.withToken(server, AttachedCluster.ROOT_TOKEN)) {
                long due = System.nanoTime() + number * everyNanos / OBJECTS;
                for (int tick = 1; !stopped; tick++) {
                    LockSupport.parkNanos(due - System.nanoTime());
                    due += everyNanos;
                    Answer answer = probe.send(
                            "PUT", collection + "/ticks-" + number, "application/json", load.object(number, tick));
                    if (answer.status() != 200) {
                        faults.add(answer.status() + " " + answer.body());
                        return;
                    }
                    done.incrementAndGet();
                }
            } catch (Exception e) {
                faults.add("a write failed: " + e);
            }
        }
    }
}
