package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedMemory.Bounds;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Definitions for which there is no room. */
class DefinitionBudgetTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final ClusterName OTHER = new ClusterName("other");
    private static final ClusterName THIRD = new ClusterName("third");
    private static final int SMALL_BYTES = 30_000;
    private static final Bounds LIMITS = new Bounds(160_000, 105_000);

    private final RevisionedStore store = new MemoryStore();
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private Fixture fixture = fixture(LIMITS);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void definition_beyondTheClustersPart_is403_untilAnotherIsDeleted() {
        Api dev = fixture.dev();
        define(dev, "a", SMALL_BYTES).expect(201);
        define(dev, "b", SMALL_BYTES).expect(201);

        Answer refused = define(dev, "c", 2 * SMALL_BYTES).expect(403);
        assertThat(refused.body().toString())
                .contains("things.c.example.com", "this cluster", "limits.hostedDefinitionBytesPerClusterMax");
        assertThat(reached).containsExactly("limits.hostedDefinitionBytesPerClusterMax");

        dev.delete(CRDS + "/things.a.example.com").expect(200);
        Fixture.eventually(
                "the definition is gone",
                () -> dev.get(CRDS + "/things.a.example.com").code() == 404);
        define(dev, "c", 2 * SMALL_BYTES).expect(201);
    }

    /** Each brings its own discovery and OpenAPI documents. */
    @Test
    void versions_countMoreThanTheirText() {
        withVersions(100).expect(403);
        assertThat(reached).containsExactly("limits.hostedDefinitionBytesPerClusterMax");
        withVersions(50).expect(201);
    }

    private Answer withVersions(int count) {
        String versions = IntStream.rangeClosed(1, count)
                .mapToObj(number -> """
                    {"name": "v%d", "served": true, "storage": %b, "schema": {"openAPIV3Schema": {"type": "object"}}}\
                    """.formatted(number, number == 1))
                .collect(Collectors.joining(","));
        return fixture.dev().createJson(CRDS, """
            {"metadata": {"name": "things.v.example.com"}, "spec": {"group": "v.example.com", "scope": "Namespaced",
             "names": {"plural": "things", "kind": "Thing"}, "versions": [%s]}}\
            """.formatted(versions));
    }

    @Test
    void definition_beyondWhatAllClustersMayHave_is403() {
        define(fixture.dev(), "a", 2 * SMALL_BYTES).expect(201);
        define(fixture.api(OTHER), "a", 2 * SMALL_BYTES).expect(201);

        Answer refused = define(fixture.api(THIRD), "a", 2 * SMALL_BYTES).expect(403);
        assertThat(refused.body().toString()).contains("all hosted clusters", "limits.hostedDefinitionBytesMax");
    }

    @Test
    void change_thatMakesADefinitionLargerThanThereIsRoomFor_is403_andOthersPass() {
        Api dev = fixture.dev();
        define(dev, "a", SMALL_BYTES).expect(201);
        define(dev, "b", SMALL_BYTES).expect(201);
        String path = CRDS + "/things.a.example.com";

        dev.merge(path, "{\"metadata\":{\"annotations\":{\"a\":\"%s\"}}}".formatted("x".repeat(2 * SMALL_BYTES)))
                .expect(403);
        dev.merge(path, "{\"metadata\":{\"annotations\":{\"a\":\"x\"}}}").expect(200);
    }

    @Test
    void storedDefinitions_areServedWithoutRoom_andCountAfterAReopening() {
        define(fixture.dev(), "a", SMALL_BYTES).expect(201);
        define(fixture.dev(), "b", SMALL_BYTES).expect(201);
        fixture.stop();

        Fixture small = fixture(new Bounds(SMALL_BYTES, SMALL_BYTES));
        fixture = small;
        Fixture.eventually(
                "the objects are served",
                () -> small.dev()
                                .get("/apis/a.example.com/v1/namespaces/default/things")
                                .code()
                        == 200);
        define(small.dev(), "c", 100).expect(403);
    }

    private Fixture fixture(Bounds definitions) {
        return new Fixture(
                store,
                Fixture.settings(1024, 1024, TestMemory.of(definitions, Bounds.ofKept(), reached::add)),
                List.of());
    }

    private static Answer define(Api api, String group, int bytes) {
        return api.createJson(CRDS, """
            {"metadata":{"name":"things.%1$s.example.com"},
            "spec":{"group":"%1$s.example.com","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
            {"type":"object","description":"%2$s"}}}]}}\
            """.formatted(group, "x".repeat(bytes)));
    }
}
