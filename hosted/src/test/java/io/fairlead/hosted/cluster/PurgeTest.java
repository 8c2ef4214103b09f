package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster's data is deleted although the store refuses some of the writes at first. */
class PurgeTest {
    private volatile String refused = "nothing";
    private final Fixture fixture = new Fixture(store(), Fixture.settings(64, 64), List.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/deleted-clusters/", "/c/"})
    void purge_whoseWriteWasRefused_isFinishedWithoutARestart(String prefix) {
        fixture.dev()
                .create("/api/v1/namespaces/default/configmaps", "metadata: {name: a}")
                .expect(201);
        refused = prefix;

        fixture.clusters.delete(Fixture.DEV);

        assertThat(fixture.clusters.stored()).isEmpty();
        assertThat(left("/deleted-clusters/")).isTrue();
        refused = "nothing";
        Fixture.eventually("all is deleted", () -> !left("/c/") && !left("/deleted-clusters/"));
    }

    /** Else what is written to it from then on would be deleted at the next start. */
    @Test
    void clusterWhoseNameWasNotFreed_isAnotherOne() {
        fixture.dev()
                .create("/api/v1/namespaces/default/configmaps", "metadata: {name: a}")
                .expect(201);
        refused = "/clusters/";
        assertThatThrownBy(() -> fixture.clusters.delete(Fixture.DEV)).isInstanceOf(StoreException.class);
        refused = "nothing";

        fixture.dev().get("/api/v1/namespaces/default/configmaps/a").expect(404);
        Fixture.eventually("what is left of the one before is deleted", () -> !left("/deleted-clusters/"));
    }

    private boolean left(String prefix) {
        return fixture.store.count(prefix, null, fixture.store.revision()) > 0;
    }

    private RevisionedStore store() {
        MemoryStore memory = new MemoryStore();
        return (RevisionedStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RevisionedStore.class},
                (Object _, Method method, Object[] arguments) -> {
                    if (method.getName().equals("commit")
                            && arguments[0] instanceof Write.Delete deletion
                            && deletion.key().startsWith(refused)) {
                        throw new StoreException(Reason.OVERLOADED, "too many writes wait (the test says so)", null);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
