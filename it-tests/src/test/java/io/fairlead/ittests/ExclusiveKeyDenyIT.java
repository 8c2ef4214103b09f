package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Clients that want one key of a rule that denies, while the process is killed under them. */
final class ExclusiveKeyDenyIT {
    private static final long SEED = 20_261_126;
    private static final int CLIENTS = 16;
    private static final int CREATES = 1_000;
    private static final int KILLS = 3;
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String MAPS = "/clusters/dev/api/v1/namespaces/default/configmaps";
    private static final Pattern HOLDER = Pattern.compile("\"name\":\"(claim-[0-9]+)\"");

    private final Random random = new Random(SEED);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger winners = new AtomicInteger();

    /** Objects whose creation was acknowledged, and whose deletion was not asked for. */
    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();

    private final Set<Integer> codes = ConcurrentHashMap.newKeySet();

    @Test
    void oneKey_neverHasTwoHolders_norAnObjectlessReservation_howeverOftenTheProcessIsKilled() throws Exception {
        Path folder = Checkout.scratch("ExclusiveKeyDenyIT");
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        try (FairleadProcess fairlead = FairleadProcess.start(folder, "--token-auth-file", tokens.toString())) {
            Kubectl root = new Kubectl(folder.resolve("root"), fairlead.adminKubeconfig());
            Output created = fairlead.command("cluster", "create", "dev");
            assertThat(created.exitCode()).as("%s", created).isZero();
            root.succeedWith("""
                apiVersion: fairlead.io/v1alpha1
                kind: ExclusiveKey
                metadata: {name: hosts}
                spec:
                  clusters: {all: true}
                  resource: {version: v1, resource: configmaps}
                  scope: Fleet
                  key: '"host" in object.?data.orValue({}) ? object.data.host : null'
                  enforcement: Deny
                """, "apply", "-f", "-");
            root.succeed("wait", "--for=condition=Enforced", "exclusivekey/hosts", "--timeout=60s");

            for (int kill = 1; kill <= KILLS + 1; kill++) {
                int winnersBefore = winners.get();
                int end = kill > KILLS ? CREATES : kill * CREATES / (KILLS + 1) - random.nextInt(100);
                contend(fairlead, end, kill <= KILLS);
                assertThat(winners.get()).as("seed %d", SEED).isGreaterThan(winnersBefore);
                if (kill <= KILLS) {
                    fairlead.start();
                }
                check(fairlead);
            }
            assertThat(codes).as("seed %d", SEED).isSubsetOf(201, 409, 503);

            root = new Kubectl(folder.resolve("root-after"), fairlead.adminKubeconfig());
            try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
                assertThat(create(probe, "claim-0").status()).isEqualTo(201);
                awaitReservations(root, List.of("claim-0"));
                assertThat(probe.delete(MAPS + "/claim-0").status()).isEqualTo(200);
            }
            awaitReservations(root, List.of());
        }
    }

    /** All clients create objects with the key and delete most of theirs again, until so many were tried in all. */
    private void contend(FairleadProcess fairlead, int end, boolean isKilled) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        var ended = new CountDownLatch(CLIENTS);
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var looked = clients.submit(() -> {
                while (!isOver.get()) {
                    try {
                        assertThat(holders(probe)).as("seed %d", SEED).hasSizeLessThan(2);
                    } catch (IOException killed) {
                        return true;
                    }
                }
                return true;
            });
            var due = new CountDownLatch(1);
            for (int client = 0; client < CLIENTS; client++) {
                Random own = new Random(random.nextLong());
                clients.execute(() -> {
                    try {
                        create(probe, own, end, isKilled, due);
                    } finally {
                        ended.countDown();
                    }
                });
            }
            if (isKilled) {
                assertThat(due.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
                fairlead.kill();
            }
            assertThat(ended.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            isOver.set(true);
            assertThat(looked.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    /** One that is to be killed goes on until it is. */
    private void create(HttpProbe probe, Random own, int end, boolean isKilled, CountDownLatch due) {
        for (int i = next.incrementAndGet(); isKilled || i <= end; i = next.incrementAndGet()) {
            if (i >= end) {
                due.countDown();
            }
            String name = "claim-" + i;
            try {
                Answer answer = create(probe, name);
                codes.add(answer.status());
                if (answer.status() == 201) {
                    winners.incrementAndGet();
                    acknowledged.add(name);
                    if (own.nextInt(10) > 0) {
                        acknowledged.remove(name);
                        probe.delete(MAPS + "/" + name);
                    } else {
                        release(probe);
                    }
                }
            } catch (Exception killed) {
                return;
            }
        }
    }

    private static Answer create(HttpProbe probe, String name) throws Exception {
        String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"host\":\"a.example\"}}";
        return probe.send("POST", MAPS, "application/json", body);
    }

    /** Its object stays for some looks, so that it may be there at the kill. */
    private void release(HttpProbe probe) throws Exception {
        for (int look = 0; look < 5; look++) {
            var _ = probe.get(MAPS);
        }
        for (String name : List.copyOf(acknowledged)) {
            acknowledged.remove(name);
            probe.delete(MAPS + "/" + name);
        }
    }

    private void check(FairleadProcess fairlead) throws Exception {
        Collection<String> found = holders(fairlead);
        assertThat(found).as("seed %d", SEED).hasSizeLessThan(2).containsAll(acknowledged);
        // One whose creation or deletion was under way when the process was killed: it would hold the key for ever.
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            for (String name : found) {
                acknowledged.remove(name);
                assertThat(probe.delete(MAPS + "/" + name).status()).isEqualTo(200);
            }
        }
    }

    private static Collection<String> holders(FairleadProcess fairlead) throws Exception {
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            return holders(probe);
        }
    }

    private static Collection<String> holders(HttpProbe probe) throws Exception {
        Answer answer = probe.get(MAPS);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Matcher names = HOLDER.matcher(answer.body());
        Set<String> found = new TreeSet<>();
        while (names.find()) {
            found.add(names.group(1));
        }
        return found;
    }

    private static void awaitReservations(Kubectl root, Collection<String> holders) {
        Await.until(
                "there is a reservation of each of " + holders + " and no other one",
                SOON,
                () -> List.of(root.succeed("get", "keyreservations", "-o", "jsonpath={.items[*].spec.holder.name}")
                                .strip()
                                .split(" "))
                        .equals(holders.isEmpty() ? List.of("") : List.copyOf(holders)));
    }
}
