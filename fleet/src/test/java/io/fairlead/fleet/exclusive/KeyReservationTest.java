package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reservations are there for the objects that have the keys, and for no others. */
final class KeyReservationTest extends DenyFixture {
    @Test
    void aDeletion_letsTheNextOneIn_andLeavesNoReservation() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");
        assertThat(create(US, "two", "host: a.example").code()).isEqualTo(409);

        delete(EU, "one");
        assertThat(create(US, "two", "host: a.example").code()).isEqualTo(201);
        awaitReservations("us/two");
        delete(US, "two");
        awaitReservations();
    }

    @Test
    void aWriteThatIsRefused_reservesNothing() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");

        assertThat(create(EU, "two", "host: b.example, '/': x").code()).isEqualTo(422);
        assertThat(reservations()).containsExactly("eu/one");
        assertThat(create(EU, "one", "host: b.example").body().path("reason").asString(""))
                .isEqualTo("AlreadyExists");
        assertThat(reservations()).containsExactly("eu/one");
        assertThat(create(EU, "one", "host: a.example").body().path("reason").asString(""))
                .isEqualTo("AlreadyExists");
        assertThat(reservations()).containsExactly("eu/one");
        assertThat(create(EU, "three", "host: a.example").code()).isEqualTo(409);
        assertThat(create(EU, "three", "host: b.example").code()).isEqualTo(201);
        awaitReservations("eu/one", "eu/three");
    }

    @Test
    void severalKeys_areReservedAllOrNone() {
        denying("hosts", "scope: Fleet, key: \"object.?data.hosts.orValue('').split(',').filter(h, h != '')\"");
        create(EU, "one", "hosts: 'b'");

        for (String hosts : List.of("a,b,c", "c,b,a", "b,a")) {
            assertThat(create(EU, "two", "hosts: '" + hosts + "'").code()).isEqualTo(409);
            assertThat(reservations()).containsExactly("eu/one");
        }
        assertThat(create(EU, "two", "hosts: 'a,c'").code()).isEqualTo(201);
        awaitReservations("eu/one", "eu/two", "eu/two");
        assertThat(update(EU, "two", "hosts: 'c'").code()).isEqualTo(200);
        awaitReservations("eu/one", "eu/two");
    }

    @Test
    void ofAThousandCreates_oneIsStored() throws InterruptedException {
        denying("hosts", "scope: Fleet, " + HOSTS);
        Map<Integer, Integer> codes = new ConcurrentHashMap<>();
        List<String> stored = new ArrayList<>();
        AtomicInteger next = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(64);
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < 64; writer++) {
                writers.execute(() -> {
                    for (int i = next.incrementAndGet(); i <= 1_000; i = next.incrementAndGet()) {
                        Answer answer = create(EU, "map-" + i, "host: a.example");
                        codes.merge(answer.code(), 1, Integer::sum);
                        if (answer.code() == 201) {
                            synchronized (stored) {
                                stored.add("map-" + i);
                            }
                        }
                    }
                    ended.countDown();
                });
            }
            ended.await();
        }

        assertThat(codes).isEqualTo(Map.of(201, 1, 409, 999));
        assertThat(withHosts(EU)).isEqualTo(stored);
        awaitReservations("eu/" + stored.getFirst());
        delete(EU, stored.getFirst());
        awaitReservations();
    }

    @Test
    void writesOfOneObject_sideBySide_neverLoseItsReservation() throws InterruptedException {
        denying("hosts", "scope: Fleet, " + HOSTS);
        CountDownLatch ended = new CountDownLatch(8);
        Map<Integer, Integer> codes = new ConcurrentHashMap<>();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < 8; writer++) {
                Random random = new Random(20_261_126 + writer);
                writers.execute(() -> {
                    for (int i = 0; i < 60; i++) {
                        String name = "map-" + random.nextInt(2);
                        ClusterName cluster = random.nextBoolean() ? EU : US;
                        String data = "host: h" + random.nextInt(2) + ".example";
                        switch (random.nextInt(3)) {
                            case 0 -> codes.merge(create(cluster, name, data).code(), 1, Integer::sum);
                            case 1 -> codes.merge(update(cluster, name, data).code(), 1, Integer::sum);
                            default -> delete(cluster, name);
                        }
                    }
                    ended.countDown();
                });
            }
            ended.await();
        }

        List<String> held = new ArrayList<>();
        withHosts(EU).forEach(name -> held.add("eu/" + name));
        withHosts(US).forEach(name -> held.add("us/" + name));
        assertThat(hosts(EU).size() + hosts(US).size()).isEqualTo(held.size());
        List<String> distinct = new ArrayList<>(hosts(EU));
        distinct.addAll(hosts(US));
        assertThat(distinct).doesNotHaveDuplicates();
        assertThat(codes.keySet()).isSubsetOf(200, 201, 404, 409);
        awaitReservations(held.toArray(String[]::new));
    }

    @Test
    void aRestart_keepsDenying_andDeletesWhatACrashLeft() throws IOException {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");
        create(EU, "two", "host: b.example");
        RootApi api = new RootApi(root.root);
        JsonNode ofOne = reservation("one");
        ReservedKey id = ReservedKey.of(ofOne.at("/metadata/name").asString("")).orElseThrow();
        end();

        Reservation lost = Reservation.of(id, ofOne).of(new ObjectKey(EU, "shop", "ghost"), "x");
        api.update(KeyReservationKind.KEY_RESERVATIONS, "", lost.node(), "");
        for (String rule : List.of(id.rule(), "f0000000-0000-0000-0000-000000000000")) {
            ReservedKey other = new ReservedKey(rule, new KeyHash(7, 7));
            api.create(
                    KeyReservationKind.KEY_RESERVATIONS,
                    "",
                    new Reservation(other, "hosts", new ObjectKey(EU, "shop", "two"), "x", "").node());
        }
        assertThat(reservations()).contains("eu/ghost");
        process();

        assertThat(create(US, "three", "host: a.example").code()).isEqualTo(409);
        assertThat(create(US, "three", "host: b.example").code()).isEqualTo(409);
        awaitReservations("eu/two");
        assertThat(create(US, "three", "host: c.example").code()).isEqualTo(201);
        delete(EU, "two");
        assertThat(create(US, "four", "host: b.example").code()).isEqualTo(201);
    }

    @Test
    void aReservationWithoutItsObject_deniesNothing() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");
        JsonNode ofOne = reservation("one");
        ReservedKey id = ReservedKey.of(ofOne.at("/metadata/name").asString("")).orElseThrow();
        delete(EU, "one");
        awaitReservations();
        Reservation lost = new Reservation(id, "hosts", new ObjectKey(US, "shop", "ghost"), "x", "");
        new RootApi(root.root).create(KeyReservationKind.KEY_RESERVATIONS, "", lost.node());

        assertThat(create(EU, "two", "host: a.example").code()).isEqualTo(201);
        awaitReservations("eu/two");
        assertThat(reservation("two").at("/spec/holder/uid").asString(""))
                .isEqualTo(RootCluster.send(cluster(EU), "GET", path("two"), "")
                        .body()
                        .at("/metadata/uid")
                        .asString(""));
    }

    @Test
    void aRuleThatIsDeleted_orOnlyReports_leavesNoReservation() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");
        awaitReservations("eu/one");
        root.send(ADMIN, "PATCH", RULES + "/hosts", "{spec: {enforcement: Report}}");
        awaitReservations();
        assertThat(create(EU, "two", "host: a.example").code()).isEqualTo(201);
        delete(EU, "two");
        root.send(ADMIN, "PATCH", RULES + "/hosts", "{spec: {enforcement: Deny}}");
        awaitEnforced("hosts", "True", "Enforced");
        assertThat(create(EU, "two", "host: a.example").code()).isEqualTo(409);
        create(EU, "three", "host: b.example");
        awaitReservations("eu/three");

        root.send(ADMIN, "DELETE", RULES + "/hosts", "");

        awaitReservations();
        assertThat(create(EU, "two", "host: b.example").code()).isEqualTo(201);
    }

    @Test
    void aClusterThatHasTakenItsShareOfTheRoom_leavesTheRestToOthers() throws IOException {
        end();
        claimsBytesMax = 100_000;
        process();
        denying("keys", "scope: Fleet, key: \"object.?data.keys.orValue('').split(',').filter(h, h != '')\"");
        Answer refused = null;
        for (int map = 0; map < 100 && refused == null; map++) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                names.add("k" + map + "-" + i);
            }
            Answer answer = create(EU, "map-" + map, "keys: '" + String.join(",", names) + "'");
            refused = answer.code() == 201 ? null : answer;
            int stored = map + 1;
            eventually(
                    "it is compared",
                    () -> answer.code() != 201 || status("keys").path("objects").asInt() >= stored);
        }

        assertThat(Objects.requireNonNull(refused).code()).isEqualTo(403);
        assertThat(refused.body().at("/details/causes/0/reason").asString("")).isEqualTo("ExclusiveKeysTooMany");
        assertThat(create(EU, "without", "other: x").code()).isEqualTo(201);
        assertThat(create(US, "other", "keys: other").code()).isEqualTo(201);
        assertThat(create(EU, "another", "keys: other").code()).isEqualTo(403);
        delete(EU, "map-0");
        eventually(
                "there is room again",
                () -> create(EU, "later?dryRun=All", "keys: later").code() == 201);
    }

    @Test
    void error_endsNotTheComparisonOfReservations() {
        denying("hosts", "scope: Fleet, " + HOSTS);
        create(EU, "one", "host: a.example");
        create(EU, "two", "host: b.example");
        errorsOfSweep.set(2);

        delete(EU, "one");

        awaitReservations("eu/two");
        assertThat(errorsOfSweep.get()).isNegative();
    }

    /** The objects with a host. */
    private List<String> withHosts(ClusterName cluster) {
        return List.copyOf(byName(cluster).keySet());
    }

    private List<String> hosts(ClusterName cluster) {
        return List.copyOf(byName(cluster).values());
    }

    private Map<String, String> byName(ClusterName cluster) {
        Map<String, String> found = new TreeMap<>();
        RootCluster.send(cluster(cluster), "GET", "/api/v1/namespaces/shop/configmaps", "")
                .body()
                .path("items")
                .values()
                .forEach(map -> {
                    if (map.path("data").has("host")) {
                        found.put(
                                map.at("/metadata/name").asString(""),
                                map.at("/data/host").asString(""));
                    }
                });
        return found;
    }
}
