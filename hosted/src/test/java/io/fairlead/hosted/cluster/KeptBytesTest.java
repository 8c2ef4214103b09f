package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedMemory.Bounds;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Write;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects of which a cluster keeps something in memory, and for which there is no room. */
class KeptBytesTest {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String KEY = "limits.hostedKeptBytesPerClusterMax";
    private static final int MIB = 1 << 20;

    private final RevisionedStore store = new MemoryStore();
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private Fixture fixture = fixture(new Bounds(20 * MIB, 8 * MIB));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void rights_beyondTheClustersPart_are403_untilOthersAreDeleted() {
        Api dev = fixture.dev();
        role(dev, "a", 4_500).expect(201);

        Answer refused = role(dev, "b", 4_500).expect(403);
        assertThat(refused.body().path("message").asString()).contains("\"b\"", "this cluster", KEY);
        assertThat(reached).containsExactly(KEY);
        dev.merge(ROLES + "/a", "{\"metadata\":{\"finalizers\":[\"example.com/kept\"]}}")
                .expect(200);
        dev.delete(ROLES + "/a").expect(200);
        dev.merge(ROLES + "/a", "{\"metadata\":{\"finalizers\":null}}").expect(200);
        role(dev, "b", 4_500).expect(201);
    }

    @Test
    void rightsOfOneCluster_takeNothingOfTheFirstMebibyteOfAnother() {
        fixture.stop();
        fixture = fixture(new Bounds(8 * MIB, 8 * MIB));
        role(fixture.dev(), "a", 5_000).expect(201);
        Api other = fixture.api(new ClusterName("other"));

        role(other, "a", 300).expect(201);
        assertThat(role(other, "b", 3_000).expect(403).body().path("message").asString())
                .contains("all hosted clusters", "limits.hostedKeptBytesMax");
    }

    @Test
    void namespaces_count() {
        Api dev = fixture.dev();
        String label = "x".repeat(60_000);
        int made = 0;
        Answer answer;
        do {
            answer = dev.createJson("/api/v1/namespaces", """
                {"metadata":{"name":"n%d","annotations":{"a":"%s"}}}\
                """.formatted(made++, label));
        } while (answer.code() == 201);

        answer.expect(403);
        assertThat(made).isBetween(50, 200);
        assertThat(answer.body().path("message").asString()).contains("namespaces", KEY);
    }

    @Test
    void ownerReferences_count_whateverHasThem() {
        Api dev = fixture.dev();
        owned(dev, "a", 6_000).expect(201);

        assertThat(owned(dev, "b", 12_000).expect(403).body().path("message").asString())
                .contains("owner references", KEY);
        owned(dev, "c", 100).expect(201);
        dev.createJson(MAPS, "{\"metadata\":{\"name\":\"d\"},\"data\":{\"a\":\"%s\"}}".formatted("x".repeat(900_000)))
                .expect(201);
    }

    /** The one that is not committed must not take the other's count away. */
    @Test
    void objectThatIsCreatedTwiceAtOnce_isCounted() throws Exception {
        ClusterBudget.OfCluster budget = ClusterBudget.ofKept(new Bounds(20 * MIB, 8 * MIB), reached::add)
                .ofCluster();
        CyclicBarrier both = new CyclicBarrier(2);
        KeptBytes kept = new KeptBytes(meeting(both), budget, "/c/u/", List.of("/c/u/core/namespaces/"), true);
        Write.Put creation = new Write.Put("/c/u/core/namespaces/a", "{\"kind\":\"Namespace\"}".getBytes(UTF_8), 0);

        List<CommitResult> results = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<CommitResult> commit = () -> kept.commit(creation);
            for (Future<CommitResult> each : threads.invokeAll(List.of(commit, commit))) {
                results.add(each.get());
            }
        }

        assertThat(results)
                .hasAtLeastOneElementOfType(CommitResult.Committed.class)
                .hasAtLeastOneElementOfType(CommitResult.Mismatch.class);
        assertThat(budget.counts(creation.key())).isTrue();
    }

    /** A store whose first write is refused if another one comes before it ends, and otherwise committed. */
    private static RevisionedStore meeting(CyclicBarrier both) {
        AtomicInteger calls = new AtomicInteger();
        return (RevisionedStore) Proxy.newProxyInstance(
                RevisionedStore.class.getClassLoader(), new Class<?>[] {RevisionedStore.class}, (_, _, _) -> {
                    boolean isFirst = calls.incrementAndGet() == 1;
                    boolean haveMet = meet(both);
                    if (isFirst && haveMet) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // The other one is through before.
                    }
                    return isFirst == haveMet ? new CommitResult.Mismatch(null) : new CommitResult.Committed(7);
                });
    }

    private static boolean meet(CyclicBarrier both) throws Exception {
        try {
            both.await(500, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | BrokenBarrierException alone) {
            return false;
        }
    }

    /** Two hundred of them select all rules, of which each had a copy. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aggregatedRoles_doNotMultiplyTheRulesThatTheySelect() {
        Api dev = fixture.dev();
        role(dev, "a", 4_500).expect(201);
        for (int i = 0; i < 200; i++) {
            dev.createJson(ROLES, """
                {"metadata":{"name":"all%d"},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"of":"many"}}]}}\
                """.formatted(i)).expect(201);
        }

        dev.createJson("/api/v1/namespaces", "{\"metadata\":{\"name\":\"after\"}}")
                .expect(201);
        assertThat(dev.get(ROLES + "/all199").expect(200).body().path("rules").size())
                .isZero();
    }

    @Test
    void storedObjects_countAfterAReopening_evenBeyondTheBound() {
        role(fixture.dev(), "a", 4_500).expect(201);
        fixture.stop();
        fixture = fixture(new Bounds(2 * MIB, 2 * MIB));

        Api dev = fixture.dev();
        dev.get(ROLES + "/a").expect(200);
        role(dev, "b", 10).expect(403);
        dev.delete(ROLES + "/a").expect(200);
        role(dev, "b", 10).expect(201);
    }

    @Test
    void whatEachClusterBeginsWith_takesNoRoom() {
        fixture.stop();
        fixture = fixture(new Bounds(40_000, 1_000_000));

        role(fixture.dev(), "a", 5).expect(201);
        role(fixture.api(new ClusterName("other")), "a", 5).expect(201);
    }

    private static Answer role(Api api, String name, int rules) {
        return api.createJson(
                ROLES,
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"of\":\"many\"}},\"rules\":[%s]}"
                        .formatted(
                                name,
                                repeated(
                                        rules, "{\"apiGroups\":[\"g\"],\"resources\":[\"r%d\"],\"verbs\":[\"get\"]}")));
    }

    private static Answer owned(Api api, String name, int owners) {
        return api.createJson(
                MAPS,
                "{\"metadata\":{\"name\":\"%s\",\"finalizers\":[\"example.com/kept\"],\"ownerReferences\":[%s]}}"
                        .formatted(
                                name,
                                repeated(
                                        owners,
                                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"o%1$d\",\"uid\":\"u%1$d\"}")));
    }

    /** Items of a list, each with its number. */
    private static String repeated(int count, String item) {
        return IntStream.range(0, count).mapToObj(item::formatted).collect(Collectors.joining(","));
    }

    private Fixture fixture(Bounds kept) {
        return new Fixture(
                store,
                Fixture.settings(1024, 1024, TestMemory.of(Bounds.ofDefinitions(), kept, reached::add)),
                List.of());
    }
}
