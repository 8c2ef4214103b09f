package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster that cannot be opened at first. */
class OpeningTest {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final int ROLE_COUNT = 50;

    private final AtomicBoolean broken = new AtomicBoolean();
    /** How often followers of the cluster read each role. */
    private final Map<String, Integer> reads = new ConcurrentHashMap<>();

    private final Fixture fixture =
            new Fixture(InterceptedStore.of(new MemoryStore(), this::before), Fixture.settings(64, 64), List.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void openingThatFails_leavesNothingThatFollows() {
        broken.set(true);
        assertThatThrownBy(() -> fixture.clusters.open(Fixture.DEV)).isInstanceOf(StoreException.class);
        broken.set(false);

        Api api = fixture.dev();
        for (int i = 0; i < ROLE_COUNT; i++) {
            api.create(ROLES, "metadata: {name: role-" + i + "}").expect(201);
        }
        Fixture.eventually("all roles are read", () -> reads.size() == ROLE_COUNT);

        assertThat(reads.values()).containsOnly(1);
    }

    /** The definitions are what a cluster reads last before it answers. */
    private void before(String method, Object[] arguments) {
        if (method.equals("list")
                && broken.get()
                && arguments[0] instanceof String prefix
                && prefix.endsWith("/customresourcedefinitions/")) {
            throw new StoreException(Reason.FAILED, "as if the disk failed", null);
        }
        if (method.equals("get")
                && arguments[0] instanceof String key
                && key.contains("/role-")
                && Thread.currentThread().getName().equals("follower-dev")) {
            reads.merge(key, 1, Integer::sum);
        }
    }
}
