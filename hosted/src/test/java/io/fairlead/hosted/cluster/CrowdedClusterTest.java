package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left to the cluster of one tenant when another's has all that it may have. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrowdedClusterTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECTS = 20;
    private static final int UPDATES = 30;
    private static final int OBJECT_BYTES = 200_000;
    private static final long BUDGET = 24_000_000;

    /** Of the process's budget, by default, for the bodies of one caller and of one cluster. */
    private static final long BODIES = BUDGET / 4;

    private final ByteBudget budget = ByteBudget.of(BUDGET);
    private final HostedMemory memory = TestMemory.of(budget);
    private final Fixture fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024, memory), List.of());
    private final List<AutoCloseable> unread = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void clusterAtAllItsLimits_leavesAnotherTenantsABodyListsWatchesAndWrites() throws Exception {
        HostedCluster crowded = fixture.clusters.open(new ClusterName("crowded"));
        HostedCluster other = fixture.clusters.open(new ClusterName("other"));
        for (HostedCluster cluster : List.of(crowded, other)) {
            for (int i = 0; i < OBJECTS; i++) {
                new Api(cluster).createJson(MAPS, object("m-" + i, 0)).expect(201);
            }
        }
        fillHistory(new Api(crowded));
        fillLists(crowded);
        assertThat(budget.take(BODIES)).isTrue();

        assertThat(budget.take(BODIES)).as("the largest body of another caller").isTrue();
        assertThat(listed(other)).contains("m-" + (OBJECTS - 1));
        budget.give(BODIES);
        Api api = new Api(other);
        try (Events watch = api.watch(MAPS)) {
            for (int i = 0; i < OBJECTS; i++) {
                watch.next();
            }
            for (int n = 1; n <= OBJECTS; n++) {
                api.merge(MAPS + "/m-0", object("m-0", n)).expect(200);
                assertThat(watch.next().object().at("/data/n").asInt(0)).isEqualTo(n);
            }
        }
        for (AutoCloseable one : unread) {
            one.close();
        }
    }

    /** What a watch has not read is held, and what is kept for the next ones, as far as the cluster may. */
    private void fillHistory(Api api) {
        unread.add(api.watch(MAPS + "?resourceVersion=" + fixture.store.revision()));
        for (int n = 1; n <= UPDATES; n++) {
            api.merge(MAPS + "/m-0", object("m-0", n)).expect(200);
        }
        long most = memory.history().clusterBytesMax() - 3L * OBJECT_BYTES;
        Fixture.eventually("the share for changes is taken", () -> budget.taken() >= most);
    }

    private void fillLists(HostedCluster cluster) {
        for (int caller = 0; caller < 100; caller++) {
            ApiResponse answer = list(cluster, "tenant-" + caller);
            if (!(answer instanceof ApiResponse.Pieces pieces)) {
                assertThat(answer.status()).isEqualTo(429);
                return;
            }
            unread.add(pieces.pieces());
        }
        throw new AssertionError("no limit was met");
    }

    private static String listed(HostedCluster cluster) {
        ApiResponse answer = list(cluster, "other");
        assertThat(answer.status()).isEqualTo(200);
        return new String(Api.join((ApiResponse.Pieces) answer), UTF_8);
    }

    private static ApiResponse list(HostedCluster cluster, String caller) {
        return Routing.serve(
                cluster,
                Routing.of(
                        CallerName.ofGateway(caller), Api.request("GET", MAPS, "", "application/json", new byte[0])));
    }

    private static String object(String name, int n) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"n\":\"" + n + "\",\"v\":\""
                + "x".repeat(OBJECT_BYTES) + "\"}}";
    }
}
