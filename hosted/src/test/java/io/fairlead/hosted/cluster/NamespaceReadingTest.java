package io.fairlead.hosted.cluster;

import io.fairlead.storage.MemoryStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread of the store's log, which serves all clusters, reads no namespaces; the controller of each cluster does. */
class NamespaceReadingTest {
    private static final String NAMESPACES = "/api/v1/namespaces";

    /** The namespaces that the controller's thread read. */
    private final Set<String> read = ConcurrentHashMap.newKeySet();

    private final Fixture fixture =
            new Fixture(InterceptedStore.of(new MemoryStore(), this::before), Fixture.settings(64, 64), List.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void namespaceThatChanges_isReadByItsControllersThread() {
        Api api = fixture.dev();

        api.create(NAMESPACES, "metadata: {name: team}").expect(201);

        Fixture.eventually("the controller looks at it", () -> read.contains("team"));
    }

    /** What is deleted in a namespace while it is terminating has it looked at again. */
    @Test
    void namespaceWithAFinalizerInside_goesOnceThatIsGone() {
        Api api = fixture.dev();
        api.create(NAMESPACES, "metadata: {name: team}").expect(201);
        api.create(NAMESPACES + "/team/configmaps", "metadata: {name: held, finalizers: [example.com/held]}")
                .expect(201);
        api.delete(NAMESPACES + "/team").expect(200);
        Fixture.eventually(
                "it waits for what is in it",
                () -> api.get(NAMESPACES + "/team").body().toString().contains("SomeFinalizersRemain"));

        api.merge(NAMESPACES + "/team/configmaps/held", "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);

        Fixture.eventually("it is gone", () -> api.get(NAMESPACES + "/team").code() == 404);
        api.create(NAMESPACES, "metadata: {name: team}").expect(201);
        api.create(NAMESPACES + "/team/configmaps", "metadata: {name: free}").expect(201);
    }

    private void before(String method, Object[] arguments) {
        if (method.equals("get")
                && arguments[0] instanceof String key
                && key.contains("/namespaces/")
                && Thread.currentThread().getName().equals("namespace-controller")) {
            read.add(key.substring(key.lastIndexOf('/') + 1));
        }
    }
}
