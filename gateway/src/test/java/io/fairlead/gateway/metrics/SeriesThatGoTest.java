package io.fairlead.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.answer.Outcome;
import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.index.Location;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.net.ConnectionMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Series go with the cluster or the type that they are about, and those of what comes in its place stay. */
class SeriesThatGoTest {
    private static final int RACES = 3_000;
    private static final int TYPES = 200;
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ClusterEntry ENTRY = new ClusterEntry.Unready(DEV, "test", "test");

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Set<String> served = ConcurrentHashMap.newKeySet();

    /** What happens when the index is asked next whether a type is gone. */
    private final AtomicReference<Runnable> looking = new AtomicReference<>(() -> {});

    private final RequestMeters meter = new RequestMeters(metrics, _ -> ENTRY, new Served());

    @Test
    void seriesOfDeletedTypes_go_andOnlyThose() {
        served.add("boats");
        request("boats", 200);
        request("boats", 404);
        request("made-up", 404);
        List<String> before = series();

        for (int i = 0; i < TYPES; i++) {
            served.add("types" + i);
            request("types" + i, 200);
            request("types" + i, 409);
            Outcome watch = begin("types" + i, true);
            watch.answered(200);
            watch.events(3);
            watch.over();
        }
        assertThat(series()).hasSizeGreaterThan(before.size() + 5 * TYPES);
        served.removeIf(name -> name.startsWith("types"));
        meter.forgetDeletedTypes(); // used since the last look
        meter.forgetDeletedTypes();

        assertThat(series()).isEqualTo(before);
    }

    /** An attached cluster chooses the codes, and who defines types there their number. */
    @Test
    void seriesBeyondTheirRoom_areCountedTogether_untilOthersGo() {
        var crowded = new RequestMeters(metrics, _ -> ENTRY, new Served(), 1024 * 1024);
        for (int i = 0; i < TYPES; i++) {
            served.add("types" + i);
            for (int code = 200; code < 800; code++) {
                request(crowded, "types" + i, code);
            }
        }
        assertThat(series()).hasSizeLessThan(100);
        assertThat(series()).anyMatch(name -> name.contains("types0") && name.contains("code=\"200\""));
        assertThat(series()).anyMatch(name -> name.contains("resource=\"other\"") && name.contains("code=\"700\""));
        assertThat(series()).noneMatch(name -> name.contains("types1\""));

        served.clear();
        crowded.forgetDeletedTypes();
        crowded.forgetDeletedTypes();
        served.add("boats");
        request(crowded, "boats", 200);
        assertThat(series()).anyMatch(name -> name.contains("boats"));
    }

    @Test
    void typesThatComeAndGo_doNotUseUpTheSeriesOfOthers() {
        for (int round = 0; round < 11; round++) {
            for (int i = 0; i < TYPES; i++) {
                served.add(round + "-types" + i);
                request(round + "-types" + i, 200);
            }
            served.clear();
            meter.forgetDeletedTypes();
            meter.forgetDeletedTypes();
        }
        request("boats", 200);

        assertThat(metrics.scrape()).contains("resource=\"boats\"").doesNotContain("resource=\"other\"");
    }

    @Test
    void typeOfWhichTheIndexIsNotSure_keepsItsSeries() {
        request("unknown", 200);
        meter.forgetDeletedTypes();
        meter.forgetDeletedTypes();

        assertThat(metrics.scrape()).contains("resource=\"unknown\"");
    }

    @Test
    void openWatchOfADeletedType_isShownUntilItEnds() {
        Outcome watch = begin("boats", true);
        watch.answered(200);
        meter.forgetDeletedTypes();
        meter.forgetDeletedTypes();
        assertThat(longRunning("boats")).isEqualTo(1);

        watch.over();
        meter.forgetDeletedTypes(); // its end was counted since the last look
        meter.forgetDeletedTypes();
        assertThat(metrics.scrape()).doesNotContain("boats");
    }

    @Test
    void typeThatIsMadeAgain_isCountedFromTheBeginning() {
        served.add("boats");
        request("boats", 200);
        request("boats", 200);
        served.clear();
        meter.forgetDeletedTypes();
        meter.forgetDeletedTypes();
        served.add("boats");
        request("boats", 200);

        assertThat(requests("boats")).isEqualTo(1);
    }

    @Test
    void clusterThatComesWhileTheSeriesOfItsPredecessorGo_isCounted() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int race = 0; race < RACES; race++) {
                for (int code = 200; code < 205; code++) {
                    request("boats", code);
                }
                atOnce(
                        threads,
                        () -> {
                            meter.forget(DEV);
                            return true;
                        },
                        () -> {
                            request("boats", 204);
                            return true;
                        });
                request("boats", 204);

                assertThat(requests("boats")).as("race %s", race).isPositive();
            }
        }
    }

    @Test
    void typeThatComesWhileTheSeriesOfItsPredecessorGo_isCounted() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int race = 0; race < RACES; race++) {
                for (int code = 200; code < 205; code++) {
                    request("boats", code);
                }
                served.remove("boats");
                meter.forgetDeletedTypes();
                atOnce(
                        threads,
                        () -> {
                            meter.forgetDeletedTypes();
                            return true;
                        },
                        () -> {
                            request("boats", 204);
                            return true;
                        });
                request("boats", 204);

                assertThat(requests("boats")).as("race %s", race).isPositive();
            }
        }
    }

    @Test
    void requestThatIsCountedWhileItsSeriesGo_isNotLost() throws Exception {
        request("ships", 200);
        meter.forgetDeletedTypes(); // it was used since the last look
        Thread counting = new Thread(() -> request("ships", 200));
        looking.set(() -> {
            counting.start();
            while (counting.getState() != Thread.State.BLOCKED && counting.isAlive()) {
                Thread.onSpinWait();
            }
        });

        meter.forgetDeletedTypes();
        counting.join();

        assertThat(requests("ships")).isEqualTo(1);
    }

    @Test
    void gaugeOfAClusterThatComesWhileItsPredecessorsIsMade_showsItsOwnConnections() throws Exception {
        UpstreamMeters meters = new UpstreamMeters(metrics);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int race = 0; race < RACES; race++) {
                ConnectionMetrics before = meters.of(DEV);
                Callable<ConnectionMetrics> next = () -> meters.of(DEV);
                Callable<ConnectionMetrics> late = () -> {
                    before.opened("h2");
                    before.opened("h2");
                    return before;
                };
                ConnectionMetrics after = atOnce(threads, next, late);
                after.opened("h2");

                assertThat(metrics.get("fairlead.upstream.connections").gauge().value())
                        .as("race %s", race)
                        .isEqualTo(1);
                assertThat(metrics.get("fairlead.upstream.connections.opened")
                                .counter()
                                .count())
                        .as("race %s", race)
                        .isEqualTo(1);
            }
        }
    }

    private void request(String resource, int code) {
        request(meter, resource, code);
    }

    private static void request(RequestMeters meter, String resource, int code) {
        Outcome request = begin(meter, resource, false);
        request.answered(code);
        request.over();
    }

    private Outcome begin(String resource, boolean isWatch) {
        return begin(meter, resource, isWatch);
    }

    private static Outcome begin(RequestMeters meter, String resource, boolean isWatch) {
        String path = "/apis/example.com/v1/" + resource;
        return meter.begin(RequestInfoParser.parse("GET", path, isWatch ? "watch=1" : ""), isWatch, ENTRY);
    }

    /** Every series without its value. */
    private List<String> series() {
        return metrics.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .sorted()
                .toList();
    }

    private double requests(String resource) {
        return metrics.find("apiserver.request").tag("resource", resource).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private double longRunning(String resource) {
        return metrics.get("apiserver.longrunning.requests")
                .tag("resource", resource)
                .gauge()
                .value();
    }

    /** What the first answers, of two that begin at the same time. */
    private static <T> T atOnce(ExecutorService threads, Callable<T> first, Callable<T> second) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(2);
        List<Future<T>> both = IntStream.range(0, 2)
                .mapToObj(i -> threads.submit(() -> {
                    begin.await();
                    return i == 0 ? first.call() : second.call();
                }))
                .toList();
        both.get(1).get();
        return both.get(0).get();
    }

    private final class Served implements TypeIndex {
        @Override
        public Location locate(ClusterName cluster, String group, String version, String resource) {
            throw new UnsupportedOperationException("series rest on what is counted nowhere");
        }

        @Override
        public long silentNanos(ClusterName cluster) {
            return 0;
        }

        @Override
        public boolean serves(ClusterName cluster, String group, String version, String resource) {
            return served.contains(resource);
        }

        @Override
        public boolean lacks(ClusterName cluster, String group, String version, String resource) {
            looking.getAndSet(() -> {}).run();
            return !served.contains(resource) && !resource.equals("unknown");
        }

        @Override
        public CompletionStage<Void> synced(ClusterName cluster) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
