package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.ACCOUNTS;
import static io.fairlead.hosted.cluster.TokensFixture.SECRETS;
import static io.fairlead.hosted.cluster.TokensFixture.SYSTEM_NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.MemoryStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps Secrets filled looks at no more of them than a change is about, and reads them on its own thread. */
class TokenSecretsWorkTest {
    private static final String WORKER = "tokens-controller";

    /** The names of Secrets that the worker has read, those of the past with an at sign. */
    private final Queue<String> reads = new ConcurrentLinkedQueue<>();

    private final TokensFixture fixture = new TokensFixture(InterceptedStore.of(new MemoryStore(), this::hear));
    private final Api api = fixture.api();

    private void hear(String method, Object[] arguments) {
        if (method.equals("get") && Thread.currentThread().getName().equals(WORKER)) {
            String key = (String) arguments[0];
            if (key.contains("/secrets/")) {
                reads.add(key.substring(key.lastIndexOf('/') + 1) + (arguments.length > 1 ? "@" : ""));
            }
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void changeOfTheSystemNamespace_readsNoSecret_unlessKeysAreRetired() {
        createFilled("a", "default");
        awaitWorked("x");
        reads.clear();

        annotate("example.com/a", "b");
        awaitWorked("y");
        assertThat(reads).doesNotContain("a");

        annotate("fairlead.io/token-keys-accepted-since", "2026-11-27T11:00:00Z");
        awaitWorked("z");
        assertThat(reads).contains("a");
    }

    @Test
    void deletedAccount_hasOnlyItsOwnSecretsRead() {
        api.create(ACCOUNTS, "metadata: {name: robot}").expect(201);
        createFilled("a", "default");
        createFilled("b", "default");
        createFilled("c", "robot");
        api.merge(SECRETS + "/b", "{\"metadata\":{\"labels\":{\"like\":\"robot\"}}}")
                .expect(200);
        awaitWorked("y");
        reads.clear();

        api.delete(ACCOUNTS + "/robot").expect(200);

        Fixture.eventually("its secret is gone", () -> api.get(SECRETS + "/c").code() == 404);
        assertThat(reads).contains("c").doesNotContain("a", "b");
    }

    @Test
    void deletedSecret_isReadByTheWorker_howeverLongTheNameOfItsAccount() {
        api.create(ACCOUNTS, "{metadata: {name: robot}, secrets: [{name: a}, {name: other}]}")
                .expect(201);
        createFilled("a", "robot");
        awaitWorked("x");
        long revision = fixture.store.revision();
        awaitWorked("y");
        fixture.store.compact(revision);
        reads.clear();

        api.delete(SECRETS + "/a").expect(200);

        Fixture.eventually(
                "it is not named any more",
                () -> api.get(ACCOUNTS + "/robot")
                        .body()
                        .path("secrets")
                        .toString()
                        .equals("[{\"name\":\"other\"}]"));
        assertThat(reads).contains("a@");
        create("long", "n".repeat(200_000));
        Fixture.eventually(
                "the secret is gone", () -> api.get(SECRETS + "/long").code() == 404);
        awaitWorked("z");
        assertThat(reads).contains("long@");
    }

    /** Waits until the worker has done what was there: keys are worked on in their order, and some queue others. */
    private void awaitWorked(String name) {
        createFilled(name + "1", "default");
        createFilled(name + "2", "default");
    }

    private void createFilled(String name, String account) {
        create(name, account);
        Fixture.eventually(
                "the secret is filled",
                () -> !api.get(SECRETS + "/" + name).at("/data/token").isEmpty());
    }

    private void create(String name, String account) {
        api.create(SECRETS, """
            metadata: {name: %s, annotations: {kubernetes.io/service-account.name: %s}}
            type: kubernetes.io/service-account-token
            """.formatted(name, account)).expect(201);
    }

    private void annotate(String annotation, String value) {
        api.merge(SYSTEM_NAMESPACE, "{\"metadata\":{\"annotations\":{\"" + annotation + "\":\"" + value + "\"}}}")
                .expect(200);
    }
}
