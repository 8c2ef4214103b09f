package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A whole gateway, whose every long-lived thread and task meets an Error or an interruption once: afterwards none is missing,
 * and what each is for still works. Only the store's writer ends, and says so.
 */
class GatewayThreadsTest {
    private static final long SECONDS_MAX = 60;
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String PINS = "/apis/fairlead.io/v1alpha1/typepins";

    /** Threads that are there only while there is something to do, and those of the JDK and of libraries. */
    private static final Pattern NOT_FOR_LONG =
            Pattern.compile("(cluster-sync-#|follower-|event-expiry|fairlead-resolve"
                    + "|ForkJoinPool|CommonPool|HttpClient|VirtualThread|CachedSingleThreadScheduler|process reaper).*"
                    + "|[a-z-]+-controller|garbage-collector|namespace-furnishing|role-aggregation|cluster-deletion");

    @TempDir
    private Path folder;

    private TwoGateways both;
    private Set<String> threadsBefore = Set.of();

    @BeforeEach
    void start() throws Exception {
        threadsBefore = threadNames();
        both = new TwoGateways(folder);
    }

    @AfterEach
    void stop() {
        both.close();
    }

    @Test
    void everyThreadAndTaskThatMeetsAnError_goesOn_andTheWriterThatEnds_saysSo() throws Exception {
        assertEverythingWorks("before");
        Set<String> threads = ownThreads();
        assertThat(threads)
                .contains("io-#-#", "metrics-io-#-#", "scheduler", "fleet", "type-pins", "cluster-files")
                .contains("cluster-sync-timer", "fleet-watch-clusters", "fleet-watch-secrets", "fleet-watch-typepins")
                .contains("cluster-opening-#", "store-log");
        Map<ScheduledThreadPoolExecutor, Long> tasks = periodicTasks();

        for (Gateway gateway : both.all()) {
            RunningParts parts = RunningParts.of(gateway);
            assertThat(parts.executors()).hasSizeGreaterThan(4);
            assertThat(parts.supervised()).hasSizeGreaterThan(6);
            parts.executors().forEach(GatewayThreadsTest::meetAnError);
            // What their work waits for throws, wherever that is.
            parts.threads().stream().filter(thread -> !isWriter(thread)).forEach(Thread::interrupt);
        }

        Set<String> missing = new TreeSet<>(threads);
        TwoGateways.await(() -> "threads are missing: " + missing, () -> {
            missing.removeAll(ownThreads());
            return missing.isEmpty();
        });
        for (Gateway gateway : both.all()) {
            for (Supervised work : RunningParts.of(gateway).supervised()) {
                TwoGateways.await(
                        work.name() + " goes on",
                        () -> work.isAlive() && work.problem().isEmpty());
            }
        }
        assertThat(periodicTasks()).isEqualTo(tasks);
        assertEverythingWorks("after");
        theWriterThatEndsIsNoticed();
    }

    private void theWriterThatEndsIsNoticed() throws Exception {
        Gateway near = both.gateway("near");
        RunningParts.of(near).threads().stream()
                .filter(GatewayThreadsTest::isWriter)
                .forEach(Thread::interrupt);

        TwoGateways.await("the gateway is not ready", () -> both.get("/readyz").statusCode() == 500);
        assertThat(both.get("/readyz?verbose").body()).contains("[-]store failed");
        HttpResponse<String> refused = both.send("near", "POST", "/api/v1/namespaces", namespace("refused"));
        assertThat(refused.statusCode()).isBetween(500, 599);
        assertThat(refused.body()).contains("the store cannot do its work");
    }

    /** What each thread is for. */
    private void assertEverythingWorks(String when) throws Exception {
        requestsAreAnsweredOnEveryLoop();
        String hosted = "hosted-" + when;
        both.create(
                "near",
                CLUSTERS,
                "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"" + hosted
                        + "\"},\"spec\":{\"hosted\":{}}}");
        TwoGateways.await("the fleet opens a cluster", () -> both.isTrue("near", CLUSTERS + "/" + hosted, "Ready"));
        Files.writeString(both.clustersDir().resolve(when + ".yaml"), """
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: declared-%s}
            spec: {hosted: {}}
            """.formatted(when));
        TwoGateways.await("files are followed", () -> both.isTrue("near", CLUSTERS + "/declared-" + when, "Ready"));

        both.create("near", "/clusters/dev" + TwoGateways.CRDS, TwoGateways.definition(when));
        TwoGateways.await(
                "definitions are served", () -> both.exists("near", "/clusters/dev/apis/" + when + ".test/v1/boats"));
        both.create("near", "/clusters/dev/api/v1/namespaces", namespace(when));
        TwoGateways.await(
                "namespaces are furnished",
                () -> both.exists("near", "/clusters/dev/api/v1/namespaces/" + when + "/serviceaccounts/default"));
        both.delete("near", "/clusters/dev/api/v1/namespaces/" + when);
        TwoGateways.await(
                "namespaces are finished", () -> !both.exists("near", "/clusters/dev/api/v1/namespaces/" + when));

        both.create("far", TwoGateways.CRDS, TwoGateways.definition(when));
        String boats = "?group=" + when + ".test&version=v1&resource=boats";
        TwoGateways.await(
                "an attached cluster is followed",
                () -> both.get("near", "/fairlead/v1/clusters/far/served" + boats)
                        .body()
                        .contains("SERVED"));
        TwoGateways.await("and Ready", () -> both.isTrue("near", CLUSTERS + "/far", "Ready"));
        assertThat(both.exists("near", "/clusters/far/apis/" + when + ".test/v1/boats"))
                .isTrue();
        both.create("near", PINS, """
            {"apiVersion":"fairlead.io/v1alpha1","kind":"TypePin","metadata":{"name":"%s"},"spec":{"clusters":
            {"matchNames":["far","dev"]},"group":"%s.test","kind":"Boat","consistentAcross":{"matchNames":["far","dev"]}}}
            """.formatted(when, when));
        TwoGateways.await(
                "pins are followed",
                () -> !both.conditions("near", PINS + "/" + when).isEmpty());

        TwoGateways.await("the gateway is ready", () -> both.get("/readyz").statusCode() == 200);
        assertThat(both.get("/metrics").body()).contains("fairlead_cluster_ready{cluster=\"" + hosted + "\"}");
    }

    private void requestsAreAnsweredOnEveryLoop() throws Exception {
        for (ExecutorService executor : RunningParts.of(both.gateway("near")).executors()) {
            if (executor instanceof EventLoopGroup loops) {
                for (EventExecutor loop : loops) {
                    assertThat(loop.submit(() -> true).get(SECONDS_MAX, TimeUnit.SECONDS))
                            .isTrue();
                }
            }
        }
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            try (HttpClient fresh =
                    HttpClient.newBuilder().sslContext(TwoGateways.trusting()).build()) {
                assertThat(fresh.send(both.request("near", "GET", "/version", ""), HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
    }

    /** As many times as there are threads, at least. */
    private static void meetAnError(ExecutorService executor) {
        if (executor instanceof EventLoopGroup loops) {
            loops.forEach(loop -> loop.execute(GatewayThreadsTest::fail));
            return;
        }
        int threads = executor instanceof ThreadPoolExecutor pool ? pool.getMaximumPoolSize() : 1;
        for (int i = 0; i < Math.min(threads, 100); i++) {
            executor.execute(GatewayThreadsTest::fail);
        }
    }

    private static void fail() {
        throw new StackOverflowError("injected");
    }

    private static boolean isWriter(Thread thread) {
        return thread.getName().startsWith("store-writer");
    }

    private Map<ScheduledThreadPoolExecutor, Long> periodicTasks() {
        Map<ScheduledThreadPoolExecutor, Long> tasks = new HashMap<>();
        for (Gateway gateway : both.all()) {
            for (ExecutorService executor : RunningParts.of(gateway).executors()) {
                if (executor instanceof ScheduledThreadPoolExecutor scheduler) {
                    tasks.put(scheduler, periodic(scheduler));
                }
            }
        }
        return tasks;
    }

    /** Those that wait; the one that just runs is put back when it is over. */
    private static long periodic(ScheduledThreadPoolExecutor scheduler) {
        long most = 0;
        for (int look = 0; look < 20; look++) {
            most = Math.max(
                    most,
                    scheduler.getQueue().stream()
                            .filter(task -> task instanceof RunnableScheduledFuture<?> one && one.isPeriodic())
                            .count());
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return most;
    }

    private Set<String> ownThreads() {
        Set<String> names = threadNames();
        names.removeAll(threadsBefore);
        names.removeIf(name -> NOT_FOR_LONG.matcher(name).matches());
        return names;
    }

    /** Of all threads, virtual ones too; numbers are left out. */
    private Set<String> threadNames() {
        try {
            Path dump = folder.resolve("threads-" + System.nanoTime());
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
            JsonNode threads = Json.read(Files.readAllBytes(dump));
            Files.delete(dump);
            return threads.findValuesAsString("name").stream()
                    .map(name -> name.replaceAll("[0-9]+", "#"))
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String namespace(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}";
    }
}
