package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches that begin in the past while there is room for one change at a time. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchRoomTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECT_BYTES = 100_000;
    private static final int UPDATES = 3;

    /** An update is what stands there now and what stood there before. */
    private static final long ONE_CHANGE_BYTES = 250_000;

    private static final Duration FOR_EVER = Duration.ofMinutes(10);

    private final ByteBudget budget = ByteBudget.of(15_000_000);
    private final List<String> reached = new CopyOnWriteArrayList<>();

    @AfterEach
    void allIsGivenBack() {
        assertThat(budget.taken()).isZero();
    }

    /** A cluster with an object that was updated some times after a revision. */
    private record Room(Fixture fixture, Api api, String from) implements AutoCloseable {
        Events watch() {
            return api.watch(MAPS + "?resourceVersion=" + from);
        }

        @Override
        public void close() {
            fixture.close();
        }
    }

    @Test
    void watchWithoutRoomForWhatIsPast_isRefusedByTheLimitsName() {
        try (Room room = open(Duration.ofMillis(100))) {
            Events first = room.watch();
            assertThat(number(first.next())).isEqualTo(1);

            ApiResponse.Whole refused = (ApiResponse.Whole) room.fixture()
                    .clusters
                    .open(Fixture.DEV)
                    .baseHandler()
                    .serve(Api.request("GET", MAPS + "?watch=1&resourceVersion=" + room.from(), "", "", new byte[0]));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsEntry("Retry-After", List.of("1"));
            assertThat(Json.read(refused.body()).path("message").asString(""))
                    .contains("on their way to watches", "limits.hostedBytesMax");
            assertThat(reached).containsExactly("limits.hostedBytesMax");
            first.close();
            try (Events again = room.watch()) {
                assertThat(number(again.next())).isEqualTo(1);
            }
        }
    }

    /** Who reads what is past makes way after each change, so that clients that come again at once take turns. */
    @Test
    void watchThatWaitsForRoom_getsItFromOneThatReads() throws Exception {
        CompletableFuture<Events> second = new CompletableFuture<>();
        try (Room room = open(FOR_EVER);
                Events first = room.watch()) {
            assertThat(number(first.next())).isEqualTo(1);
            Thread waiting = Thread.ofPlatform().start(() -> second.complete(room.watch()));
            Fixture.eventually("waits for room", () -> waiting.getState() == Thread.State.TIMED_WAITING);

            assertThat(first.nextOrNull()).as("makes way").isNull();
            try (Events other = second.get()) {
                assertThat(number(other.next())).isEqualTo(1);
            }
        }
    }

    @Test
    void write_doesNotWaitForThoseThatWait() throws Exception {
        CompletableFuture<Events> second = new CompletableFuture<>();
        try (Room room = open(FOR_EVER);
                Events first = room.watch();
                Events live = room.api().watch("/api/v1/secrets")) {
            assertThat(number(first.next())).isEqualTo(1);
            Thread waiting = Thread.ofPlatform().start(() -> second.complete(room.watch()));
            Fixture.eventually("waits for room", () -> waiting.getState() == Thread.State.TIMED_WAITING);

            Api api = room.api();
            api.merge(MAPS + "/large", object(UPDATES + 1)).expect(200);
            api.createJson("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"small\"}}")
                    .expect(201);

            assertThat(live.next().name()).isEqualTo("small");
            assertThat(first.nextOrNull()).isNull();
            second.get().close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 12})
    void clientsThatComeAgainWithoutAPause_allSeeEveryChangeOnceAndInOrder(int clients) throws Exception {
        List<CompletableFuture<List<Integer>>> seen = new ArrayList<>();
        Room room = open(FOR_EVER);
        for (int i = 0; i < clients; i++) {
            CompletableFuture<List<Integer>> one = new CompletableFuture<>();
            seen.add(one);
            Thread.ofPlatform().start(() -> {
                try {
                    one.complete(follow(room, 3 * UPDATES));
                } catch (RuntimeException | Error e) {
                    one.completeExceptionally(e);
                }
            });
        }
        for (int n = UPDATES + 1; n <= 3 * UPDATES; n++) {
            room.api().merge(MAPS + "/large", object(n)).expect(200);
        }

        for (CompletableFuture<List<Integer>> one : seen) {
            assertThat(one.get()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
        room.close();
    }

    private static List<Integer> follow(Room room, int last) {
        List<Integer> seen = new ArrayList<>();
        String revision = room.from();
        while (seen.isEmpty() || seen.getLast() != last) {
            try (Events events = room.api().watch(MAPS + "?resourceVersion=" + revision)) {
                for (Events.Event event = events.nextOrNull(); event != null; event = events.nextOrNull()) {
                    seen.add(number(event));
                    revision = Long.toString(event.revision());
                    if (seen.getLast() == last) {
                        break;
                    }
                }
            }
        }
        return seen;
    }

    private Room open(Duration patience) {
        HostedMemory shares = TestMemory.of(budget);
        Fixture fixture = new Fixture(
                new MemoryStore(),
                Fixture.settings(
                        1024,
                        1024,
                        new HostedMemory(
                                budget,
                                shares.clusterBytesMax(),
                                shares.callerBytesMax(),
                                shares.workBytesMax(),
                                patience,
                                shares.pagesAtOnceMax(),
                                new HostedMemory.History(
                                        shares.history().bytesMax(), ONE_CHANGE_BYTES, 4_000_000, 4_000_000),
                                shares.definitions(),
                                shares.kept(),
                                reached::add)),
                List.of());
        Api api = fixture.dev();
        String from = api.createJson(MAPS, object(0)).expect(201).resourceVersion();
        for (int n = 1; n <= UPDATES; n++) {
            api.merge(MAPS + "/large", object(n)).expect(200);
        }
        // Answered once the log has told all that was written before, so that no watch takes any of it for new.
        api.createJson(
                        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                        "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"last\"}}")
                .expect(201);
        return new Room(fixture, api, from);
    }

    private static int number(Events.Event event) {
        return Integer.parseInt(event.object().at("/data/n").asString(""));
    }

    private static String object(int n) {
        return "{\"metadata\":{\"name\":\"large\"},\"data\":{\"n\":\"" + n + "\",\"v\":\"" + "x".repeat(OBJECT_BYTES)
                + "\"}}";
    }
}
