package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Small objects that a default of their type makes large when they are read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongDefaultsTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final int OBJECTS = 20;
    private static final int DEFAULT_CHARS = 700_000;
    private static final long BUDGET = 24_000_000;
    private static final long CALLER = BUDGET / 4;

    private final ByteBudget budget = ByteBudget.of(BUDGET);
    private final HostedMemory shares = TestMemory.of(budget);
    private final Fixture fixture = new Fixture(
            new MemoryStore(),
            Fixture.settings(
                    1024,
                    1024,
                    new HostedMemory(
                            budget,
                            BUDGET / 2,
                            CALLER,
                            shares.workBytesMax(),
                            Duration.ofMillis(200),
                            shares.pagesAtOnceMax(),
                            shares.history(),
                            shares.definitions(),
                            shares.kept(),
                            key -> {})),
            List.of());
    private final HostedCluster dev = fixture.clusters.open(Fixture.DEV);
    private final Api api = fixture.dev();

    /** Stored objects have the defaults of when they were written. */
    @BeforeEach
    void storeThenDefine() {
        api.create(CRDS, """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, kind: Boat}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, properties: {cargo: {type: string}}}
            """).expect(201);
        Fixture.eventually("boats are served", () -> api.get(BOATS).code() == 200);
        for (int i = 0; i < OBJECTS; i++) {
            api.create(BOATS, "apiVersion: example.com/v1\nkind: Boat\nmetadata: {name: b-%02d}".formatted(i))
                    .expect(201);
        }
        api.patch(
                        CRDS + "/boats.example.com",
                        "[{\"op\":\"add\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema/properties/cargo/default\","
                            + "\"value\":\"" + "x".repeat(DEFAULT_CHARS) + "\"}]")
                .expect(200);
        Fixture.eventually(
                "defaults are filled in",
                () -> api.get(BOATS + "/b-00").at("/cargo").length() == DEFAULT_CHARS);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?limit=500", "?pretty=true", "?limit=19"})
    void list_comesInPiecesThatAreCounted(String query) throws Exception {
        ApiResponse.Pieces pieces = (ApiResponse.Pieces)
                Routing.serve(dev, Api.request("GET", BOATS + query, "", "application/json", new byte[0]));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (ApiResponse.Frames frames = pieces.pieces()) {
            for (byte[] piece = frames.next(); piece != null; piece = frames.next()) {
                assertThat(budget.taken()).isBetween((long) piece.length, CALLER);
                whole.writeBytes(piece);
            }
        }

        List<String> names = Json.read(whole.toByteArray())
                .path("items")
                .valueStream()
                .map(item -> item.at("/metadata/name").asString(""))
                .toList();
        assertThat(names).isEqualTo(names(query.endsWith("19") ? 19 : OBJECTS));
        assertThat(budget.taken()).isZero();
    }

    /** Each of them has made an item before it finds out that there is no room for it. */
    @Test
    void listsThatWaitForRoom_holdNothingThatIsNotCounted_andTheFirstOneIsWhole() throws Exception {
        List<ApiResponse.Pieces> unread = new ArrayList<>();
        ApiResponse next = list();
        while (next instanceof ApiResponse.Pieces pieces) {
            unread.add(pieces);
            next = list();
        }

        assertThat(next.status()).isEqualTo(429);
        assertThat(budget.taken()).isBetween((long) unread.size() * DEFAULT_CHARS, CALLER);
        for (ApiResponse.Pieces pieces : unread.subList(1, unread.size())) {
            pieces.pieces().close();
        }
        assertThat(Json.read(unread.getFirst().join()).path("items")).hasSize(OBJECTS);
        assertThat(budget.taken()).isZero();
    }

    @Test
    void watch_countsTheStateAndEachChange() {
        try (Events events = api.watch(BOATS)) {
            for (String name : names(OBJECTS)) {
                assertThat(events.next().name()).isEqualTo(name);
                assertThat(budget.taken()).isBetween((long) DEFAULT_CHARS, CALLER);
            }
            for (int i = 0; i < 3; i++) {
                store(i);
                assertThat(events.next().object().path("cargo").asString("")).hasSize(DEFAULT_CHARS);
                assertThat(budget.taken()).isBetween((long) DEFAULT_CHARS, CALLER);
            }
        }
    }

    /** A change that is as small as what stands there. */
    private void store(int round) {
        RevisionedStore.Entry boat = fixture.store.list("/c/", null, 0, fixture.store.revision()).stream()
                .filter(entry -> entry.key().endsWith("/boats/default/b-00"))
                .findFirst()
                .orElseThrow();
        ObjectNode object = (ObjectNode) Json.read(boat.value());
        assertThat(object.has("cargo")).isFalse();
        object.withObjectProperty("metadata").putObject("labels").put("round", Integer.toString(round));
        fixture.store.commit(new RevisionedStore.Write.Put(boat.key(), Json.write(object), boat.revision()));
    }

    private ApiResponse list() {
        return Routing.serve(dev, Api.request("GET", BOATS, "", "application/json", new byte[0]));
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj("b-%02d"::formatted).toList();
    }
}
