package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.CallerName;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of one caller, or of many in one cluster, that each need all that may be held for a single row of a table. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeRowsTest {
    private static final String WIDES = "/apis/example.com/v1/namespaces/default/wides";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final int OBJECTS = 6;
    private static final int COLUMNS = 60;
    private static final int VALUE_BYTES = 15_000;

    /** Less than three rows, which one row takes while it is made. */
    private static final long CALLER_BYTES = 2_500_000;

    private static final long CLUSTER_BYTES = 2 * CALLER_BYTES;
    private static final Duration FOR_EVER = Duration.ofMinutes(10);

    private final ByteBudget budget = ByteBudget.of(2 * CLUSTER_BYTES);
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private Fixture fixture;
    private HostedCluster dev;

    @BeforeEach
    void open() {
        HostedMemory shares = TestMemory.of(budget);
        HostedMemory memory = new HostedMemory(
                budget,
                CLUSTER_BYTES,
                CALLER_BYTES,
                shares.workBytesMax(),
                FOR_EVER,
                shares.pagesAtOnceMax(),
                shares.history(),
                shares.definitions(),
                shares.kept(),
                reached::add);
        fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024, memory), List.of());
        dev = fixture.clusters.open(Fixture.DEV);
        Api api = fixture.dev();
        String column = "{\"name\":\"V\",\"type\":\"string\",\"jsonPath\":\".spec.v\"}";
        api.createJson("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            {"metadata": {"name": "wides.example.com"}, "spec": {
              "group": "example.com", "scope": "Namespaced",
              "names": {"plural": "wides", "singular": "wide", "kind": "Wide", "listKind": "WideList"},
              "versions": [{"name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
                "additionalPrinterColumns": [%s]}]}}
            """.formatted(
                                String.join(",", Collections.nCopies(COLUMNS, column))))
                .expect(201);
        Fixture.eventually("is served", () -> api.get(WIDES).code() == 200);
        for (int i = 0; i < OBJECTS; i++) {
            api.createJson(
                            WIDES,
                            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Wide\",\"metadata\":{\"name\":\"w-%d\"},\"spec\":{\"v\":\"%s\"}}"
                                    .formatted(i, "x".repeat(VALUE_BYTES)))
                    .expect(201);
        }
    }

    @AfterEach
    void allIsGivenBack() {
        assertThat(reached).isEmpty();
        assertThat(budget.taken()).isZero();
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "8, 1"})
    void watchesOfTables_doNotWaitForEachOther(int callers, int ofEach) throws Exception {
        assertThat(rowsOfAll(callers, ofEach, "?watch=1")).allMatch(rows -> rows == OBJECTS);
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "8, 1"})
    void listsOfTables_doNotWaitForEachOther(int callers, int ofEach) throws Exception {
        assertThat(rowsOfAll(callers, ofEach, "")).allMatch(rows -> rows == OBJECTS);
    }

    /** A client that does not read what it asked for keeps a row, and not all that making it took. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?watch=1"})
    void answerThatIsNotRead_leavesRoomForTheCallersOthers(String query) throws Exception {
        CallerName caller = CallerName.ofGateway("jane");

        try (AutoCloseable _ = begun(answer(caller, query))) {
            assertThat(budget.taken()).isPositive().isLessThan(CALLER_BYTES / 2);
            ApiResponse small = answer(caller, "?limit=1", "application/json");
            assertThat(small).isInstanceOf(ApiResponse.Whole.class);
            assertThat(small.status()).isEqualTo(200);
        }
    }

    /** An answer of which one piece is on its way. */
    private static AutoCloseable begun(ApiResponse answer) throws InterruptedException {
        return switch (answer) {
            case ApiResponse.Stream watch -> {
                watch.frames().next();
                yield watch.frames();
            }
            case ApiResponse.Pieces list -> {
                list.pieces().next();
                yield list.pieces();
            }
            case ApiResponse.Whole whole -> throw new AssertionError(text(whole));
        };
    }

    private static String text(ApiResponse.Whole whole) {
        return new String(whole.body(), StandardCharsets.UTF_8);
    }

    /** The rows that each of some answers has, all read at once. */
    private List<Integer> rowsOfAll(int callers, int ofEach, String query) throws Exception {
        CyclicBarrier ready = new CyclicBarrier(callers * ofEach);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < callers * ofEach; i++) {
            CallerName caller = CallerName.ofGateway("caller-" + i % callers);
            CompletableFuture<Integer> rows = new CompletableFuture<>();
            all.add(rows);
            Thread.ofPlatform().start(() -> {
                try {
                    ready.await();
                    rows.complete(rows(answer(caller, query)));
                } catch (Exception | Error e) {
                    rows.completeExceptionally(e);
                }
            });
        }
        List<Integer> counts = new ArrayList<>();
        for (CompletableFuture<Integer> rows : all) {
            counts.add(rows.get());
        }
        return counts;
    }

    private static int rows(ApiResponse answer) throws InterruptedException {
        return switch (answer) {
            case ApiResponse.Stream watch -> {
                int rows = 0;
                try (ApiResponse.Frames frames = watch.frames()) {
                    while (rows < OBJECTS) {
                        rows += Json.read(Objects.requireNonNull(frames.next()))
                                .at("/object/rows")
                                .size();
                    }
                }
                yield rows;
            }
            case ApiResponse.Pieces list -> Json.read(list.join()).path("rows").size();
            case ApiResponse.Whole whole -> throw new AssertionError(new String(whole.body(), StandardCharsets.UTF_8));
        };
    }

    private ApiResponse answer(CallerName caller, String query) {
        return answer(caller, query, TABLE);
    }

    private ApiResponse answer(CallerName caller, String query, String accept) {
        return Routing.serve(dev, Routing.of(caller, Api.request("GET", WIDES + query, "", accept, new byte[0])));
    }
}
