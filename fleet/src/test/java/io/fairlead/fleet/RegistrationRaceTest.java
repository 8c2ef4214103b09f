package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * 200 registrations of 40 clusters (40 of 8 in a short run), made by 20 clients at once, with restarts while they come and once they
 * have settled.
 */
final class RegistrationRaceTest extends ConflictFixture {
    private static final int CLUSTERS = Effort.rounds(1) == 1 ? 8 : 40;
    private static final int EACH = 5;
    private static final int CLIENTS = 20;

    /** Those that are there, and the cluster that each leads to. */
    private final Map<String, String> registered = new TreeMap<>();

    @Override
    Duration checkedEvery() {
        return Duration.ofSeconds(2);
    }

    @Test
    void oneStaysForEachCluster_theSameAfterEachRestart() throws InterruptedException {
        List<String> names = new ArrayList<>();
        Map<String, FakeCluster> servers = new HashMap<>();
        for (int i = 0; i < CLUSTERS; i++) {
            FakeCluster server = server("uid-" + i);
            for (int j = 0; j < EACH; j++) {
                String name = "racer-" + i + "-" + j;
                names.add(name);
                servers.put(name, server);
                registered.put(name, "uid-" + i);
            }
        }
        Collections.shuffle(names, new Random(16));
        race(names.subList(0, names.size() / 2), servers);
        restart();
        race(names.subList(names.size() / 2, names.size()), servers);
        assertHolders();

        Random random = new Random(17);
        for (int round = 0; round < 2; round++) {
            for (String holder : holders()) {
                if (random.nextInt(4) == 0) {
                    delete(holder);
                    registered.remove(holder);
                }
            }
            assertHolders();
        }
    }

    private void race(List<String> names, Map<String, FakeCluster> servers) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            clients.add(Thread.ofVirtual().start(() -> {
                for (int i = first; i < names.size(); i += CLIENTS) {
                    register(
                            names.get(i),
                            Objects.requireNonNull(servers.get(names.get(i))).spec());
                }
            }));
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    /** Of what has settled; the same once more after a restart. */
    private void assertHolders() {
        settle();
        Set<String> before = holders();
        Set<String> held = new HashSet<>();
        before.forEach(name -> held.add(registered.get(name)));
        assertThat(before).hasSize(CLUSTERS);
        assertThat(held).hasSize(CLUSTERS);

        restart();
        settle();

        assertThat(holders()).isEqualTo(before);
    }

    /** Waits as long as more of them settle. */
    private void settle() {
        for (int count = 10; count < registered.size() + 10; count += 10) {
            int expected = Math.min(count, registered.size());
            eventually(expected + " have settled", () -> settled() >= expected);
        }
        eventually("each cluster is served", () -> holders().size() == CLUSTERS && settled() == registered.size());
    }

    private long settled() {
        return registered.keySet().stream()
                .filter(name -> entry(name) instanceof ClusterEntry.Attached
                        ? condition(name, "Conflict").startsWith("False")
                        : entry(name) instanceof ClusterEntry.Unready unready
                                && unready.cause().equals("ClusterIdentityConflict")
                                && condition(name, "Conflict").equals("True ClusterIdentityConflict"))
                .count();
    }

    /** The registrations that are served. */
    private Set<String> holders() {
        Set<String> holders = new HashSet<>();
        for (String name : registered.keySet()) {
            if (entry(name) instanceof ClusterEntry.Attached) {
                holders.add(name);
            }
        }
        return holders;
    }
}
