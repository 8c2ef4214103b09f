package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.gateway.cli.FairleadCommand;
import io.fairlead.model.Supervised;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
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
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String PINS = "/apis/fairlead.io/v1alpha1/typepins";

    /** Threads that are there only while there is something to do, and those of the JDK and of libraries. */
    private static final Pattern NOT_FOR_LONG =
            Pattern.compile("(cluster-sync-#|follower-|event-expiry|fairlead-resolve"
                    + "|ForkJoinPool|CommonPool|HttpClient|VirtualThread|CachedSingleThreadScheduler|process reaper).*"
                    + "|[a-z-]+-controller|garbage-collector|namespace-furnishing|role-aggregation|cluster-deletion");

    @TempDir
    private Path folder;

    private final Map<String, Gateway> gateways = new HashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(trusting()).build();
    private Set<String> threadsBefore = Set.of();

    @BeforeEach
    void start() throws Exception {
        threadsBefore = threadNames();
        Files.writeString(folder.resolve("tokens"), "token,admin,1,\"system:masters\"\n");
        Files.createDirectory(folder.resolve("clusters"));
        gateways.put("far", Gateway.start(configuration("far", Map.of())));
        gateways.put(
                "near",
                Gateway.start(configuration(
                        "near", Map.of("clustersDir", folder.resolve("clusters").toString()))));
        create("far", CRDS, apiServices());
        await("API services can be followed", () -> exists("far", "/apis/apiregistration.k8s.io/v1/apiservices"));
        command("cluster", "create", "dev");
        Path kubeconfig = folder.resolve("far.kubeconfig");
        String admins = Files.readString(folder.resolve("far/admin.kubeconfig"));
        Files.writeString(kubeconfig, admins.replace("/clusters/root", ""));
        command("cluster", "attach", "far", "--from-kubeconfig", kubeconfig.toString());
    }

    @AfterEach
    void stop() {
        client.close();
        gateways.values().forEach(Gateway::close);
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

        for (Gateway gateway : gateways.values()) {
            RunningParts parts = RunningParts.of(gateway);
            assertThat(parts.executors()).hasSizeGreaterThan(4);
            assertThat(parts.supervised()).hasSizeGreaterThan(6);
            parts.executors().forEach(GatewayThreadsTest::meetAnError);
            // What their work waits for throws, wherever that is.
            parts.threads().stream().filter(thread -> !isWriter(thread)).forEach(Thread::interrupt);
        }

        Set<String> missing = new TreeSet<>(threads);
        await(() -> "threads are missing: " + missing, () -> {
            missing.removeAll(ownThreads());
            return missing.isEmpty();
        });
        for (Gateway gateway : gateways.values()) {
            for (Supervised work : RunningParts.of(gateway).supervised()) {
                await(
                        work.name() + " goes on",
                        () -> work.isAlive() && work.problem().isEmpty());
            }
        }
        assertThat(periodicTasks()).isEqualTo(tasks);
        assertEverythingWorks("after");
        theWriterThatEndsIsNoticed();
    }

    private void theWriterThatEndsIsNoticed() throws Exception {
        Gateway near = gateway("near");
        RunningParts.of(near).threads().stream()
                .filter(GatewayThreadsTest::isWriter)
                .forEach(Thread::interrupt);

        await("the gateway is not ready", () -> get("/readyz").statusCode() == 500);
        assertThat(get("/readyz?verbose").body()).contains("[-]store failed");
        HttpResponse<String> refused = send("near", "POST", "/api/v1/namespaces", namespace("refused"));
        assertThat(refused.statusCode()).isBetween(500, 599);
        assertThat(refused.body()).contains("the store cannot do its work");
    }

    /** What each thread is for. */
    private void assertEverythingWorks(String when) throws Exception {
        requestsAreAnsweredOnEveryLoop();
        String hosted = "hosted-" + when;
        create(
                "near",
                CLUSTERS,
                "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"" + hosted
                        + "\"},\"spec\":{\"hosted\":{}}}");
        await("the fleet opens a cluster", () -> isTrue("near", CLUSTERS + "/" + hosted, "Ready"));
        Files.writeString(folder.resolve("clusters").resolve(when + ".yaml"), """
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: declared-%s}
            spec: {hosted: {}}
            """.formatted(when));
        await("files are followed", () -> isTrue("near", CLUSTERS + "/declared-" + when, "Ready"));

        create("near", "/clusters/dev" + CRDS, definition(when));
        await("definitions are served", () -> exists("near", "/clusters/dev/apis/" + when + ".test/v1/boats"));
        create("near", "/clusters/dev/api/v1/namespaces", namespace(when));
        await(
                "namespaces are furnished",
                () -> exists("near", "/clusters/dev/api/v1/namespaces/" + when + "/serviceaccounts/default"));
        delete("near", "/clusters/dev/api/v1/namespaces/" + when);
        await("namespaces are finished", () -> !exists("near", "/clusters/dev/api/v1/namespaces/" + when));

        create("far", CRDS, definition(when));
        String boats = "?group=" + when + ".test&version=v1&resource=boats";
        await(
                "an attached cluster is followed",
                () -> get("near", "/fairlead/v1/clusters/far/served" + boats)
                        .body()
                        .contains("SERVED"));
        await("and Ready", () -> isTrue("near", CLUSTERS + "/far", "Ready"));
        assertThat(exists("near", "/clusters/far/apis/" + when + ".test/v1/boats"))
                .isTrue();
        create("near", PINS, """
            {"apiVersion":"fairlead.io/v1alpha1","kind":"TypePin","metadata":{"name":"%s"},"spec":{"clusters":
            {"matchNames":["far","dev"]},"group":"%s.test","kind":"Boat","consistentAcross":{"matchNames":["far","dev"]}}}
            """.formatted(when, when));
        await("pins are followed", () -> !conditions("near", PINS + "/" + when).isEmpty());

        await("the gateway is ready", () -> get("/readyz").statusCode() == 200);
        assertThat(get("/metrics").body()).contains("fairlead_cluster_ready{cluster=\"" + hosted + "\"}");
    }

    private void requestsAreAnsweredOnEveryLoop() throws Exception {
        for (ExecutorService executor : RunningParts.of(gateway("near")).executors()) {
            if (executor instanceof EventLoopGroup loops) {
                for (EventExecutor loop : loops) {
                    assertThat(loop.submit(() -> true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                }
            }
        }
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            try (HttpClient fresh =
                    HttpClient.newBuilder().sslContext(trusting()).build()) {
                assertThat(fresh.send(request("near", "GET", "/version", ""), HttpResponse.BodyHandlers.ofString())
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
        for (Gateway gateway : gateways.values()) {
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

    private Gateway gateway(String name) {
        return Objects.requireNonNull(gateways.get(name));
    }

    private Configuration configuration(String name, Map<String, String> more) throws Exception {
        Map<String, String> flags = new HashMap<>(more);
        flags.put("dataDir", folder.resolve(name).toString());
        flags.put("securePort", "0");
        flags.put("metricsAddress", "127.0.0.1:0");
        flags.put("tokenAuthFile", folder.resolve("tokens").toString());
        return ConfigurationReader.read(null, Map.of(), flags, new ConfiguredFiles(InstantSource.system()));
    }

    private void command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data-dir", folder.resolve("near").toString()));
        StringWriter said = new StringWriter();
        int exitCode = FairleadCommand.execute(all, new PrintWriter(said), new PrintWriter(said));
        assertThat(exitCode).as("%s said %s", all, said).isZero();
    }

    private static String definition(String name) {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"boats.%s.test"},
            "spec":{"group":"%s.test","scope":"Cluster","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1",
            "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """.formatted(name, name);
    }

    /** What an API server that is attached has, and a hosted cluster has not. */
    private static String apiServices() {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
            "name":"apiservices.apiregistration.k8s.io","annotations":{"api-approved.kubernetes.io":"unapproved, for a test"}},
            "spec":{"group":"apiregistration.k8s.io","scope":"Cluster","names":{"plural":"apiservices","kind":"APIService"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """;
    }

    private static String namespace(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    private boolean isTrue(String gateway, String path, String condition) throws Exception {
        return conditions(gateway, path).contains(condition + "=True");
    }

    private List<String> conditions(String gateway, String path) throws Exception {
        HttpResponse<String> answer = get(gateway, path);
        if (answer.statusCode() != 200) {
            return List.of();
        }
        return Json.read(answer.body().getBytes(UTF_8)).path("status").path("conditions").values().stream()
                .map(condition -> condition.path("type").asString() + "="
                        + condition.path("status").asString())
                .toList();
    }

    private boolean exists(String gateway, String path) throws Exception {
        return get(gateway, path).statusCode() == 200;
    }

    private void create(String gateway, String path, String object) throws Exception {
        HttpResponse<String> answer = send(gateway, "POST", path, object);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private void delete(String gateway, String path) throws Exception {
        HttpResponse<String> answer = send(gateway, "DELETE", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private HttpResponse<String> get(String gateway, String path) throws Exception {
        return send(gateway, "GET", path, "");
    }

    /** From the metrics listener of the near gateway. */
    private HttpResponse<String> get(String path) throws Exception {
        Field listeners = Gateway.class.getDeclaredField("ownListeners");
        listeners.setAccessible(true);
        InetSocketAddress address = (InetSocketAddress) ((List<?>) listeners.get(gateway("near"))).getLast();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String gateway, String method, String path, String body) throws Exception {
        return client.send(request(gateway, method, path, body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String gateway, String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(gateway(gateway).endpoint() + path))
                .header("Authorization", "Bearer token")
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        await(() -> what, condition);
    }

    private static void await(Supplier<String> what, Callable<Boolean> condition) throws Exception {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(endNanos);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustEveryone()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static final class TrustEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
