package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Fairlead knows and does after it, or a server behind it, was killed. */
final class RestartIT {
    private static final int WRITERS = 8;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final Pattern RESOURCE_VERSION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    @Test
    void acknowledgedWrites_areThereOnceAfterKills() throws Exception {
        killUnderWrites(3, 500);
    }

    @Test
    @Tag("endurance")
    void acknowledgedWrites_areThereOnceAfterTenKills() throws Exception {
        killUnderWrites(10, 2_000);
    }

    private static void killUnderWrites(int kills, int writes) throws Exception {
        Path folder = Checkout.scratch("RestartIT/writes-" + writes);
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        try (FairleadProcess fairlead = FairleadProcess.start(folder, "--token-auth-file", tokens.toString())) {
            for (int kill = 1; kill <= kills; kill++) {
                writeUntilKilled(fairlead, "kill" + kill, writes, kill * writes / (kills + 1), acknowledged);
                fairlead.start();
                check(fairlead, acknowledged, kill);
            }
        }
    }

    @Test
    void attachedCluster_isReadyAgainByItself() {
        Path folder = Checkout.scratch("RestartIT/attached");
        try (var attached = new AttachedCluster(folder)) {
            attached.start();
            FairleadProcess fairlead = attached.fairlead();

            fairlead.kill();
            fairlead.start();
            awaitReady(fairlead, folder, "True");
            assertReachable(fairlead, folder.resolve("kubectl-after-fairlead"));

            attached.kube().killApiserver();
            awaitReady(fairlead, folder, "False");
            attached.kube().startApiserver();
            awaitReady(fairlead, folder, "True");
            assertReachable(fairlead, folder.resolve("kubectl-after-apiserver"));
        }
    }

    /** Several writers at once; the process is killed under them when so many writes have been acknowledged. */
    private static void writeUntilKilled(
            FairleadProcess fairlead, String prefix, int writes, int killAfter, Map<String, Long> acknowledged)
            throws Exception {
        var enough = new CountDownLatch(killAfter);
        var next = new AtomicInteger();
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.execute(() -> write(probe, prefix, writes, next, enough, acknowledged));
            }
            assertThat(enough.await(AGAIN.toSeconds(), TimeUnit.SECONDS))
                    .as("%d writes are acknowledged; %d are", killAfter, acknowledged.size())
                    .isTrue();
            fairlead.kill();
        }
    }

    private static void write(
            HttpProbe probe,
            String prefix,
            int writes,
            AtomicInteger next,
            CountDownLatch enough,
            Map<String, Long> acknowledged) {
        for (int i = next.incrementAndGet(); i <= writes; i = next.incrementAndGet()) {
            String name = prefix + "-" + i;
            try {
                Answer answer = create(probe, name);
                if (answer.status() == 201) {
                    acknowledged.put(name, resourceVersion(answer.body()));
                    enough.countDown();
                }
            } catch (Exception e) {
                // Killed: this write was not acknowledged.
                return;
            }
        }
    }

    private static void check(FairleadProcess fairlead, Map<String, Long> acknowledged, int kill) throws Exception {
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            Map<String, Long> found = list(probe);
            assertThat(found).containsAllEntriesOf(acknowledged);
            assertThat(new ArrayList<>(found.values())).doesNotHaveDuplicates();

            Answer after = create(probe, "after-kill" + kill);
            assertThat(after.status()).as(after.body()).isEqualTo(201);
            assertThat(resourceVersion(after.body()))
                    .isGreaterThan(found.values().stream()
                            .mapToLong(Long::longValue)
                            .max()
                            .orElseThrow());
            acknowledged.put("after-kill" + kill, resourceVersion(after.body()));
        }
    }

    private static Answer create(HttpProbe probe, String name) throws Exception {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}".formatted(name);
        return probe.send("POST", CONFIG_MAPS, "application/json", body);
    }

    private static Map<String, Long> list(HttpProbe probe) throws Exception {
        Answer answer = probe.get(CONFIG_MAPS);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Matcher items = Pattern.compile("\"metadata\":\\{[^{}]*\\}")
                .matcher(answer.body().replaceAll("\\s", ""));
        var found = new HashMap<String, Long>();
        while (items.find()) {
            Matcher name =
                    Pattern.compile("\"name\":\"((?:after-)?kill[^\"]+)\"").matcher(items.group());
            if (name.find()) {
                assertThat(found.put(name.group(1), resourceVersion(items.group())))
                        .isNull();
            }
        }
        return found;
    }

    private static long resourceVersion(String json) {
        Matcher matcher = RESOURCE_VERSION.matcher(json);
        assertThat(matcher.find()).as(json).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static void awaitReady(FairleadProcess fairlead, Path folder, String status) {
        new Kubectl(folder.resolve("kubectl-root"), fairlead.adminKubeconfig())
                .succeed("wait", "--for=condition=Ready=" + status, "clusters.fairlead.io/prod", "--timeout=60s");
    }

    private static void assertReachable(FairleadProcess fairlead, Path kubectlFolder) {
        var kubectl = new Kubectl(kubectlFolder, fairlead.kubeconfigOf("prod"));
        assertThat(kubectl.succeed("get", "namespaces", "-o", "name")).contains("namespace/kube-system");
    }
}
