package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.protobuf.Protobuf;
import io.fairlead.storage.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists that are larger than what may be held at once. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongListsTest {
    private static final long ONE_CHANGE_BYTES = 4_096;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECTS = 40;
    private static final int OBJECT_BYTES = 200_000;

    /** A quarter of what the objects weigh, and of it a quarter for one caller. */
    private static final long BUDGET = 6_000_000;

    private final ByteBudget budget = ByteBudget.of(BUDGET);
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private Fixture fixture;
    private HostedCluster dev;
    /** Before there was any object. */
    private long revisionBefore;

    @BeforeEach
    void open() {
        HostedMemory shares = TestMemory.of(budget);
        fixture = new Fixture(
                new MemoryStore(),
                Fixture.settings(
                        1024,
                        1024,
                        new HostedMemory(
                                budget,
                                BUDGET / 2,
                                BUDGET / 4,
                                shares.workBytesMax(),
                                Duration.ofMillis(200),
                                shares.pagesAtOnceMax(),
                                shares.history(),
                                shares.definitions(),
                                shares.kept(),
                                reached::add)),
                List.of());
        dev = fixture.clusters.open(Fixture.DEV);
        Api api = fixture.dev();
        revisionBefore = fixture.store.revision();
        String value = "x".repeat(OBJECT_BYTES);
        for (int i = 0; i < OBJECTS; i++) {
            api.createJson(
                            MAPS,
                            "{\"metadata\":{\"name\":\"m-%02d\",\"labels\":{\"odd\":\"%b\"}},\"data\":{\"v\":\"%s\"}}"
                                    .formatted(i, i % 2 == 1, value))
                    .expect(201);
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void list_largerThanTheBudget_comesInPiecesThatFit() throws Exception {
        ApiResponse.Pieces pieces = (ApiResponse.Pieces) list(MAPS, "application/json");
        List<byte[]> read = new ArrayList<>();
        long most = 0;
        for (byte[] piece = pieces.pieces().next();
                piece != null;
                piece = pieces.pieces().next()) {
            read.add(piece);
            most = Math.max(most, budget.taken());
        }

        assertThat(read).hasSizeGreaterThan(OBJECTS / 2);
        assertThat(most).isPositive().isLessThan(BUDGET / 4 + 1);
        pieces.pieces().close();
        assertThat(budget.taken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json pretty", "application/yaml"})
    void list_inPieces_readsAsAWhole(String accept) {
        String path = accept.endsWith("pretty") ? MAPS + "?pretty=true" : MAPS;
        byte[] body = body(path, accept.replace(" pretty", ""));

        JsonNode list = accept.endsWith("yaml") ? Yaml.read(body) : Json.read(body);

        assertThat(list.path("kind").asString("")).isEqualTo("ConfigMapList");
        assertThat(list.at("/metadata/resourceVersion").asString(""))
                .isEqualTo(Long.toString(fixture.store.revision()));
        assertThat(names(list.path("items"))).isEqualTo(names(0, OBJECTS));
        assertThat(list.at("/items/7/data/v").asString("")).hasSize(OBJECT_BYTES);
        assertThat(budget.taken()).isZero();
    }

    @Test
    void list_inProtobuf_saysHowLongItIsBeforehand() {
        JsonNode list = Protobuf.read(body(MAPS, "application/vnd.kubernetes.protobuf"));

        assertThat(names(list.path("items"))).isEqualTo(names(0, OBJECTS));
        assertThat(list.at("/items/7/data/v").asString("")).hasSize(OBJECT_BYTES);
    }

    @Test
    void list_ofMetadataOrAsATable_hasEveryObject() {
        JsonNode metadata = Protobuf.read(
                body(MAPS, "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"));
        JsonNode table = Json.read(body(MAPS, "application/json;as=Table;v=v1;g=meta.k8s.io"));

        assertThat(names(metadata.path("items"))).isEqualTo(names(0, OBJECTS));
        assertThat(table.path("rows")
                        .valueStream()
                        .map(row -> row.at("/cells/0").asString("")))
                .containsExactlyElementsOf(names(0, OBJECTS));
        assertThat(table.path("columnDefinitions")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"application/json, 1", "application/json, 7", "application/vnd.kubernetes.protobuf, 7"})
    void list_withALimit_hasPagesOfThatManyAndTellsWhatRemains(String accept, int limit) {
        List<String> found = new ArrayList<>();
        String next = "";
        do {
            byte[] body = body(MAPS + "?limit=" + limit + (next.isEmpty() ? "" : "&continue=" + next), accept);
            JsonNode page = accept.endsWith("protobuf") ? Protobuf.read(body) : Json.read(body);
            found.addAll(names(page.path("items")));
            next = page.at("/metadata/continue").asString("");
            assertThat(page.path("items").size())
                    .isEqualTo(Math.min(
                            limit, OBJECTS - found.size() + page.path("items").size()));
            assertThat(page.at("/metadata/remainingItemCount").asLong(0)).isEqualTo(OBJECTS - found.size());
        } while (!next.isEmpty());

        assertThat(found).isEqualTo(names(0, OBJECTS));
    }

    @Test
    void list_withALimitAndASelector_countsWhatMatches() {
        JsonNode page = Json.read(body(MAPS + "?limit=15&labelSelector=odd%3Dtrue", "application/json"));

        assertThat(names(page.path("items")))
                .isEqualTo(names(0, OBJECTS).stream()
                        .filter(name -> Integer.parseInt(name.substring(2)) % 2 == 1)
                        .limit(15)
                        .toList());
        assertThat(page.at("/metadata/continue").asString("")).isNotEmpty();
        assertThat(page.at("/metadata").has("remainingItemCount")).isFalse();
    }

    @Test
    void list_whoseStateIsCompactedMeanwhile_isBrokenOff() throws Exception {
        try (ApiResponse.Frames pieces = ((ApiResponse.Pieces) list(MAPS, "application/json")).pieces()) {
            assertThat(pieces.next()).isNotNull();
            fixture.compact();

            assertThatExceptionOfType(ApiResponse.BrokenOffException.class).isThrownBy(pieces::next);
        }
        // No page is held any more; the one small change that the compaction waited for may be, for watches.
        assertThat(budget.taken()).isLessThan(ONE_CHANGE_BYTES);
    }

    @Test
    void list_withoutRoom_isRefusedByTheLimitsName() throws Exception {
        List<ApiResponse.Pieces> unread = new ArrayList<>();
        ApiResponse answer = list(MAPS, "application/json");
        while (answer instanceof ApiResponse.Pieces pieces) {
            assertThat(unread).hasSizeLessThan(100);
            unread.add(pieces);
            answer = list(MAPS, "application/json");
        }

        ApiResponse.Whole refused = (ApiResponse.Whole) answer;
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).containsEntry("Retry-After", List.of("1"));
        JsonNode status = Json.read(refused.body());
        assertThat(status.path("reason").asString("")).isEqualTo("TooManyRequests");
        assertThat(status.path("message").asString(""))
                .contains(
                        "this caller's in all hosted clusters",
                        "expected at most " + BUDGET / 4,
                        "limits.hostedBytesPerCallerMax");
        assertThat(reached).containsExactly("limits.hostedBytesPerCallerMax");
        assertThat(unread).isNotEmpty();
        for (ApiResponse.Pieces pieces : unread) {
            pieces.pieces().close();
        }
        assertThat(budget.taken()).isZero();
        assertThat(names(Json.read(body(MAPS, "application/json")).path("items")))
                .hasSize(OBJECTS);
    }

    /** Whoever may use many clusters would otherwise have as many shares. */
    @Test
    void callersShare_isOneForAllClusters() throws Exception {
        HostedCluster other = fixture.clusters.open(new ClusterName("other"));
        for (int i = 0; i < 4; i++) {
            new Api(other)
                    .createJson(
                            MAPS,
                            "{\"metadata\":{\"name\":\"m-%d\"},\"data\":{\"v\":\"%s\"}}"
                                    .formatted(i, "x".repeat(OBJECT_BYTES)))
                    .expect(201);
        }
        CallerName jane = CallerName.ofGateway("jane");
        List<ApiResponse.Pieces> unread = new ArrayList<>();
        while (listAs(jane, dev) instanceof ApiResponse.Pieces pieces) {
            assertThat(unread).hasSizeLessThan(100);
            unread.add(pieces);
        }

        assertThat(listAs(jane, other).status()).isEqualTo(429);
        assertThat(reached).containsOnly("limits.hostedBytesPerCallerMax");
        for (CallerName another : List.of(
                CallerName.ofGateway("john"), new CallerName(Fixture.DEV, "jane"), new CallerName(null, "Jane"))) {
            ApiResponse answer = listAs(another, other);
            assertThat(answer.status()).as("%s", another).isEqualTo(200);
            ((ApiResponse.Pieces) answer).pieces().close();
        }
        for (ApiResponse.Pieces pieces : unread) {
            pieces.pieces().close();
        }
        assertThat(budget.taken()).isLessThan(OBJECT_BYTES);
    }

    private static ApiResponse listAs(CallerName caller, HostedCluster cluster) {
        return Routing.serve(
                cluster, Routing.of(caller, Api.request("GET", MAPS, "", "application/json", new byte[0])));
    }

    @Test
    void manyListsAtOnce_shareTheBudgetAndAllEnd() throws Exception {
        List<Thread> readers = new ArrayList<>();
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 30; i++) {
            readers.add(Thread.ofVirtual().start(() -> {
                ApiResponse answer = list(MAPS, "application/json");
                sizes.add(
                        answer instanceof ApiResponse.Pieces pieces
                                ? Json.read(Api.join(pieces)).path("items").size()
                                : -answer.status());
            }));
        }
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(sizes).hasSize(30).isSubsetOf(OBJECTS, -429).contains(OBJECTS);
        assertThat(budget.taken()).isZero();
    }

    @Test
    void watch_fromTheState_holdsNoMoreThanAPage() {
        awaitTold();
        try (Events events = fixture.dev().watch(MAPS)) {
            for (String name : names(0, OBJECTS)) {
                assertThat(events.next().name()).isEqualTo(name);
                assertThat(budget.taken()).isPositive().isLessThan(BUDGET / 4 + 1);
            }
            fixture.dev().delete(MAPS + "/m-00").expect(200);
            assertThat(events.next().type()).isEqualTo("DELETED");
            assertThat(budget.taken()).isLessThan(2 * OBJECT_BYTES);
        }
    }

    @Test
    void deleteCollection_ofMoreThanTheBudget_deletesAllAndAnswersThem() {
        byte[] body = body("DELETE", MAPS, "application/json");

        assertThat(names(Json.read(body).path("items"))).isEqualTo(names(0, OBJECTS));
        assertThat(fixture.dev().get(MAPS).body().path("items")).isEmpty();
        assertThat(budget.taken()).isZero();
    }

    /** Waits until followers were told of all objects: a watch that begins before that keeps them as changes to come. */
    private void awaitTold() {
        long written = fixture.store.revision();
        String secrets = "/api/v1/secrets?allowWatchBookmarks=true&resourceVersion=" + revisionBefore;
        try (Events bookmarks = fixture.dev().watch(secrets)) {
            long told = revisionBefore;
            while (told < written) {
                told = bookmarks.next().revision();
            }
        }
    }

    private ApiResponse list(String path, String accept) {
        return Routing.serve(dev, Api.request("GET", path, "", accept, new byte[0]));
    }

    private byte[] body(String path, String accept) {
        return body("GET", path, accept);
    }

    private byte[] body(String method, String path, String accept) {
        ApiResponse answer = Routing.serve(dev, Api.request(method, path, "", accept, new byte[0]));
        assertThat(answer.status())
                .as(() -> answer instanceof ApiResponse.Whole whole
                        ? new String(whole.body(), StandardCharsets.UTF_8)
                        : "")
                .isEqualTo(200);
        return answer instanceof ApiResponse.Whole whole ? whole.body() : Api.join((ApiResponse.Pieces) answer);
    }

    private static List<String> names(JsonNode items) {
        return items.valueStream()
                .map(item -> item.at("/metadata/name").asString(""))
                .filter(name -> name.startsWith("m-"))
                .toList();
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj("m-%02d"::formatted).toList();
    }
}
