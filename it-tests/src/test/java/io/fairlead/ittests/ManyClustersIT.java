package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Many registrations of one API server and many hosted clusters in one Fairlead, and what they leave when they go. */
@Isolated("it measures a heap under many clusters")
final class ManyClustersIT {
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String SECRETS = "/api/v1/namespaces/fairlead-system/secrets";
    private static final long STEADY_HEAP_MAX = 512L << 20;
    private static final double TOLERANCE = 0.05;
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    /** The store gives up its history every five minutes, and then what is older than the time before. */
    private static final Duration GONE_TIMEOUT = Duration.ofMinutes(12);

    private static final long HISTORY_MAX = 16L << 20;
    private static final Pattern READY = Pattern.compile("\"reason\":\"Ready\"");

    /** The history of what was there is kept for some minutes: only the long form waits until it is gone. */
    @Test
    void someClusters_areReadyAndLeaveNothingButHistory() throws Exception {
        run(5, 20, HISTORY_MAX);
    }

    @Test
    @Tag("endurance")
    void fiftyAttachedAndTwoHundredHosted_areReadyAndLeaveNothing() throws Exception {
        run(50, 200, 0);
    }

    private static void run(int attached, int hosted, long historyBytes) throws Exception {
        Path folder = Checkout.scratch("ManyClustersIT/" + attached + "-" + hosted);
        int metricsPort = FreePorts.take(1).getFirst();
        KubeCluster kube = SharedKube.get();
        try (FairleadProcess fairlead = FairleadProcess.start(folder, flags(folder, metricsPort));
                var metrics = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of())) {
            cycle(2, 2, folder, kube, fairlead, metrics); // loads classes and meets every kind of request
            Footprint before = settled(fairlead, metrics);
            report(folder, "before", before);

            cycle(attached, hosted, folder, kube, fairlead, metrics);

            Footprint expected = before.withMoreHeap(historyBytes);
            Await.until("no more than " + expected + " is held (" + folder + ")", GONE_TIMEOUT, () -> {
                pause();
                Footprint now = Footprint.of(fairlead, metrics);
                report(folder, "after", now);
                return now.isWithin(TOLERANCE, expected);
            });
        }
    }

    /** Registers, uses and removes. */
    private static void cycle(
            int attached, int hosted, Path folder, KubeCluster kube, FairleadProcess fairlead, HttpProbe metrics)
            throws Exception {
        List<String> names = names(attached, hosted);
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            register(probe, kube, attached, hosted);
            awaitReady(probe, names.size());
            assertServed(probe, names);
            Footprint steady = Footprint.of(fairlead, metrics);
            report(folder, names.size() + " clusters", steady);
            assertThat(steady.heapBytes()).isLessThan(STEADY_HEAP_MAX);
            remove(probe, names);
        }
    }

    private static List<String> names(int attached, int hosted) {
        var names = new ArrayList<String>();
        IntStream.range(0, attached).mapToObj(i -> "attached-" + i).forEach(names::add);
        IntStream.range(0, hosted).mapToObj(i -> "hosted-" + i).forEach(names::add);
        return names;
    }

    static String[] flags(Path folder, int metricsPort) {
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        return new String[] {"--token-auth-file", tokens.toString(), "--metrics-address", "127.0.0.1:" + metricsPort};
    }

    /** Registers one server so many times, and creates so many hosted clusters. */
    static void register(HttpProbe probe, KubeCluster kube, int attached, int hosted) throws Exception {
        register(probe, kube.url(), kube.caFile(), attached, hosted);
    }

    static void register(HttpProbe probe, String url, Path caFile, int attached, int hosted) throws Exception {
        String ca = base64(Files.readString(caFile));
        create(
                probe,
                SECRETS,
                "{\"metadata\":{\"name\":\"shared\"},\"data\":{\"token\":\"%s\"}}"
                        .formatted(base64(KubeCluster.ADMIN_TOKEN)));
        for (int i = 0; i < attached; i++) {
            String alias = i == 0 ? "" : "\"aliasOf\":\"attached-0\",";
            create(probe, CLUSTERS, cluster("attached-" + i, """
                %s"attached":{"endpoints":["%s"],"caBundle":"%s","credentialSecretRef":{"name":"shared"},
                "impersonation":{"allowSystemMasters":true}}\
                """.formatted(alias, url, ca)));
        }
        for (int i = 0; i < hosted; i++) {
            create(probe, CLUSTERS, cluster("hosted-" + i, "\"hosted\":{\"deletionPolicy\":\"Delete\"}"));
        }
    }

    private static String cluster(String name, String spec) {
        return "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}"
                .formatted(name, spec);
    }

    static void awaitReady(HttpProbe probe, int clusters) {
        awaitReady(probe, clusters, READY_TIMEOUT);
    }

    static void awaitReady(HttpProbe probe, int clusters, Duration timeout) {
        Await.until(clusters + " clusters and root are Ready", timeout, () -> {
            String list = probe.get(CLUSTERS).body().replaceAll("\"\\s*:\\s*", "\":");
            return READY.matcher(list).results().count() == clusters + 1;
        });
    }

    private static void assertServed(HttpProbe probe, List<String> names) throws Exception {
        for (String name : names) {
            Answer answer = probe.get("/clusters/" + name + "/api/v1/namespaces/default");
            assertThat(answer.status()).as("%s: %s", name, answer.body()).isEqualTo(200);
        }
    }

    private static void remove(HttpProbe probe, List<String> names) throws Exception {
        for (String name : names) {
            assertThat(probe.delete(CLUSTERS + "/" + name).status()).isEqualTo(200);
        }
        assertThat(probe.delete(SECRETS + "/shared").status()).isEqualTo(200);
        Await.until("all are gone", READY_TIMEOUT, () -> {
            String list = probe.get("/fairlead/v1/clusters").body();
            return names.stream().noneMatch(list::contains);
        });
    }

    /** What is held once connections that were let go are closed. */
    static Footprint settled(FairleadProcess fairlead, HttpProbe metrics) {
        var looks = new ArrayDeque<>(List.of(new Footprint(0, 0, 0, 0)));
        Await.until("the footprint settles", GONE_TIMEOUT, () -> {
            pause();
            Footprint now = Footprint.of(fairlead, metrics);
            Footprint last = looks.getLast();
            looks.add(now);
            return last.connections() == now.connections() && last.series() == now.series() && now.isWithin(0.01, last);
        });
        return looks.getLast();
    }

    /** Each look is a full collection. */
    private static void pause() {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }

    private static void create(HttpProbe probe, String path, String body) throws Exception {
        Answer answer = probe.send("POST", path, "application/json", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    static void report(Path folder, String what, Footprint footprint) throws Exception {
        Files.writeString(
                folder.resolve("footprints.txt"),
                what + ": " + footprint + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
