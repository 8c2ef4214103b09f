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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists that all begin in the same moment. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListsAtOnceTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECTS = 3;
    private static final int OBJECT_BYTES = 1_000_000;
    private static final int LISTS = 8;

    /** Of one caller, as much as one object needs while it is encoded. */
    private static final long SHARE = 4_000_000;

    /** So long that no list is refused for the machine's slowness. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch reading = new CountDownLatch(LISTS);
    private volatile boolean gated;

    @Test
    void listsOfLargeObjects_doNotKeepTheRoomThatTheOthersWaitFor() throws Exception {
        ByteBudget budget = ByteBudget.of(16 * SHARE);
        HostedMemory shares = TestMemory.of(budget);
        HostedMemory memory = new HostedMemory(
                budget,
                2 * SHARE,
                SHARE,
                shares.workBytesMax(),
                PATIENCE,
                shares.pagesAtOnceMax(),
                shares.history(),
                shares.definitions(),
                shares.kept(),
                _ -> {});
        try (Fixture fixture = new Fixture(
                InterceptedStore.of(new MemoryStore(), (method, _) -> beforeCall(method)),
                Fixture.settings(1024, 1024, memory),
                List.of())) {
            Api api = fixture.dev();
            for (int i = 0; i < OBJECTS; i++) {
                api.createJson(
                                MAPS,
                                "{\"metadata\":{\"name\":\"m-%d\"},\"data\":{\"v\":\"%s\"}}"
                                        .formatted(i, "x".repeat(OBJECT_BYTES)))
                        .expect(201);
            }
            gated = true;

            List<Integer> found = lists(fixture);

            assertThat(found)
                    .as("objects in each, or less the status")
                    .hasSize(LISTS)
                    .containsOnly(OBJECTS);
            assertThat(budget.taken()).isZero();
        }
    }

    private static List<Integer> lists(Fixture fixture) throws InterruptedException {
        List<Integer> found = Collections.synchronizedList(new ArrayList<>());
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < LISTS; i++) {
            readers.add(Thread.startVirtualThread(() -> found.add(list(fixture))));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        return found;
    }

    private static int list(Fixture fixture) {
        ApiResponse answer = Routing.serve(
                fixture.clusters.open(Fixture.DEV), Api.request("GET", MAPS, "", "application/json", new byte[0]));
        return answer instanceof ApiResponse.Pieces pieces
                ? Json.read(Api.join(pieces)).path("items").size()
                : -answer.status();
    }

    /** Lets no list read before all have room for a page that is small. */
    private void beforeCall(String method) {
        if (!gated || !method.equals("page")) {
            return;
        }
        reading.countDown();
        try {
            assertThat(reading.await(30, TimeUnit.SECONDS)).as("all lists read").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
