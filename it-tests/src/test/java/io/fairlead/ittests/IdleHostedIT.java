package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import io.fairlead.ittests.NumberedWatch.Pace;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many hosted clusters of which one in a hundred is in use fit into a small heap, after a restart too, and one that was not asked since
 * then answers soon.
 */
@Isolated("it measures time and a heap")
final class IdleHostedIT {
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String TICKS = "/api/v1/namespaces/default/configmaps/ticks-0";
    private static final long SEED = 20261129;
    private static final int CLIENTS = 4;
    private static final int ACTIVE_ONE_OF = 100;
    private static final int ASKED_MAX = 1_000;
    private static final int HEAP_MEBIBYTES = 1_024;

    /** Beside what the process has anyway. */
    private static final long BYTES_PER_CLUSTER_MAX = 100L * 1024;

    private static final Duration MADE_WITHIN = Duration.ofMinutes(10);
    private static final Duration OPEN_WITHIN = Duration.ofMinutes(5);
    private static final Duration HEARD_WITHIN = Duration.ofMinutes(1);

    @Test
    void idleClusters_fitIntoTheHeap_andAnswerSoon() throws Exception {
        run(100, Duration.ofMillis(100));
    }

    @Test
    @Tag("endurance")
    void fiveThousandClusters_fiftyInUse_fitIntoAGibibyte_andTheIdleOnesAnswerSoon() throws Exception {
        run(5_000, Duration.ofMillis(20));
    }

    private static void run(int count, Duration answersWithin) throws Exception {
        Path folder = Checkout.scratch("IdleHostedIT/" + count);
        int metricsPort = FreePorts.take(1).getFirst();
        List<String> bounded = List.of(
                "env",
                "FAIRLEAD_JAVA_OPTS=-Xmx" + HEAP_MEBIBYTES + "m",
                Checkout.launcher().toString());
        try (FairleadProcess fairlead =
                        FairleadProcess.startBy(bounded, folder, ManyClustersIT.flags(folder, metricsPort));
                var metrics = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of())) {
            Footprint none = ManyClustersIT.settled(fairlead, metrics);
            List<String> names =
                    IntStream.range(0, count).mapToObj(i -> "c" + i).toList();
            create(fairlead, names);
            fairlead.kill();
            fairlead.start();
            try (var probe = HostedTenants.probe(fairlead)) {
                ManyClustersIT.awaitReady(probe, count, OPEN_WITHIN);
            }
            List<String> shuffled = new ArrayList<>(names);
            Collections.shuffle(shuffled, new Random(SEED));
            try (var use = new Use(fairlead, shuffled.subList(0, Math.max(1, count / ACTIVE_ONE_OF)))) {
                use.goOn();
                List<Duration> answers = firstAnswers(fairlead, use, shuffled.subList(use.count(), count));
                Footprint held = ManyClustersIT.settled(fairlead, metrics);
                Duration late = answers.get(answers.size() * 99 / 100);
                Files.writeString(
                        folder.resolve("measured.txt"),
                        "%d clusters, %d in use: %s, before %s; first answers: p50 %s, p99 %s, last %s%n"
                                .formatted(
                                        count,
                                        use.count(),
                                        held,
                                        none,
                                        answers.get(answers.size() / 2),
                                        late,
                                        answers.getLast()));
                assertThat(held.heapBytes()).isLessThan(none.heapBytes() + count * BYTES_PER_CLUSTER_MAX);
                assertThat(late).as("of %s", answers.size()).isLessThanOrEqualTo(answersWithin);
                use.goOn();
            }
        }
    }

    private static void create(FairleadProcess fairlead, List<String> names) throws Exception {
        Queue<String> left = new ConcurrentLinkedQueue<>(names);
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    try (var probe = HostedTenants.probe(fairlead)) {
                        for (String name = left.poll(); name != null; name = left.poll()) {
                            create(probe, name);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        }
    }

    private static void create(HttpProbe probe, String name) throws Exception {
        Answer answer = probe.send("POST", CLUSTERS, "application/json", """
            {"apiVersion":"fairlead.io/v1alpha1","kind":"Cluster","metadata":{"name":"%s"},"spec":{"hosted":{}}}\
            """.formatted(name));
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        Await.until(
                name + " is served",
                MADE_WITHIN,
                () -> probe.get("/clusters/" + name + "/api/v1/namespaces/default")
                                .status()
                        == 200);
    }

    /** How long some clusters take to answer their first request since the start, in order of length, while others are written to. */
    private static List<Duration> firstAnswers(FairleadProcess fairlead, Use use, List<String> idle) throws Exception {
        List<Duration> answers = new ArrayList<>();
        try (var probe = HostedTenants.probe(fairlead)) {
            assertThat(probe.get("/version").status()).isEqualTo(200);
            for (String name : idle.subList(0, Math.min(ASKED_MAX, idle.size()))) {
                long begin = System.nanoTime();
                int status = probe.get("/clusters/" + name + "/api/v1/namespaces/default")
                        .status();
                answers.add(Duration.ofNanos(System.nanoTime() - begin));
                assertThat(status).as("of %s", name).isEqualTo(200);
                use.changeOne();
            }
        }
        Collections.sort(answers);
        return answers;
    }

    /** Clusters in use: each has an object that changes and a watch that hears of it. */
    private static final class Use implements AutoCloseable {
        private final List<String> clusters;
        private final int[] ticks;
        private final List<NumberedWatch> watches = new ArrayList<>();
        private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
        private final HttpProbe probe;
        private int next;

        Use(FairleadProcess fairlead, List<String> clusters) throws Exception {
            this.clusters = List.copyOf(clusters);
            this.ticks = new int[clusters.size()];
            this.probe = HostedTenants.probe(fairlead);
            int port = URI.create(fairlead.endpoint()).getPort();
            for (String cluster : clusters) {
                String collection = StoredKind.CONFIG_MAP.collection(cluster);
                Answer made = probe.send("POST", collection, "application/json", object(0));
                assertThat(made.status()).as(made.body()).isEqualTo(201);
                String revision = made.body().replaceAll("(?s).*\"resourceVersion\":\\s*\"(\\d+)\".*", "$1");
                NumberedWatch watch = NumberedWatch.open(Pace.FAST, port, collection, Long.parseLong(revision));
                watches.add(watch);
                readers.execute(watch::read);
            }
        }

        int count() {
            return clusters.size();
        }

        /** Changes the object of the next cluster. */
        void changeOne() throws Exception {
            int cluster = next++ % clusters.size();
            String path = "/clusters/" + clusters.get(cluster) + TICKS;
            Answer changed = probe.send("PUT", path, "application/json", object(++ticks[cluster]));
            assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        }

        /** Changes each object, of which each watch hears. */
        void goOn() throws Exception {
            for (int i = 0; i < clusters.size(); i++) {
                changeOne();
            }
            Await.until(
                    "each watch hears of all changes",
                    HEARD_WITHIN,
                    () -> IntStream.range(0, ticks.length)
                            .allMatch(i -> watches.get(i).heard() == ticks[i]));
            assertThat(watches).extracting(NumberedWatch::fault).containsOnly("");
        }

        private static String object(int tick) {
            return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"ticks-0\"},\"data\":{\"tick\":\""
                    + tick + "\"}}";
        }

        @Override
        public void close() {
            watches.forEach(NumberedWatch::close);
            readers.shutdownNow();
            readers.close();
            probe.close();
        }
    }
}
