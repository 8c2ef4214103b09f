package io.fairlead.fleet.pins;

import static io.fairlead.fleet.pins.PinnedBoats.DEV;
import static io.fairlead.fleet.pins.PinnedBoats.PINS;
import static io.fairlead.fleet.pins.PinnedBoats.PROD;
import static io.fairlead.fleet.pins.PinnedBoats.TEST;
import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.root.Answering;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pins over a root cluster that fails for a while. */
class TypePinsFaultsTest {
    private final PinnedBoats boats = new PinnedBoats();
    private final RootCluster root = boats.root;
    private final List<PinSet> used = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile Map<ClusterName, Finding> found = Map.of();

    @AfterEach
    void close() {
        boats.close();
    }

    @Test
    void pinDeletedWhileTheWatchIsBroken_isNoLongerInForce() {
        boats.define(DEV, boats.good);
        create("boats");
        CountDownLatch broken = new CountDownLatch(1);
        AtomicInteger watches = new AtomicInteger();
        try (TypePins pins = pins(request -> request.info().verb().equals("watch") && watches.incrementAndGet() == 1
                ? blindUntil(broken)
                : root.root.baseHandler().serve(request))) {
            pins.start();
            eventually("the first list is heard of", () -> used.size() > 1 && watches.get() == 1);
            eventually("the pin is in force", () -> !found.isEmpty());

            root.send(ADMIN, "DELETE", PINS + "/boats", "");
            broken.countDown();

            eventually("no pin is left", () -> found.isEmpty());
        }
    }

    @Test
    void statusThatCannotBeWritten_leavesTheOthersAlone() {
        create("a");
        create("b");
        try (TypePins pins = pins(request -> request.info().name().equals("a")
                ? failure()
                : root.root.baseHandler().serve(request))) {
            pins.start();

            eventually(
                    "the other has a status",
                    () -> root.send(ADMIN, "GET", PINS + "/b", "")
                            .body()
                            .at("/status/conditions")
                            .isArray());
        }
    }

    @Test
    void driftThatCannotBeTold_isToldLater() {
        List.of(DEV, TEST, PROD).forEach(cluster -> boats.define(cluster, boats.good));
        boats.register(PROD);
        create("boats");
        AtomicInteger attempts = new AtomicInteger();
        try (TypePins pins = pins(request -> request.info().resource().equals("events")
                        && request.method().equals("POST")
                        && attempts.incrementAndGet() == 1
                ? failure()
                : root.root.baseHandler().serve(request))) {
            pins.start();
            eventually("all are looked at", () -> looks.get() > 1);

            boats.define(PROD, boats.bad);

            eventually("the event is told", () -> boats.events().contains("TypeDrift"));
            assertThat(attempts).hasValue(2);
        }
    }

    @Test
    void error_endsNeitherTheLookNorTheWatch() {
        boats.define(DEV, boats.good);
        AtomicInteger errors = new AtomicInteger();
        try (TypePins pins = pins(request -> {
            if (looks.get() > 0 && errors.getAndIncrement() < 2) {
                throw new OutOfMemoryError("of the test");
            }
            return root.root.baseHandler().serve(request);
        })) {
            pins.start();
            eventually("all are looked at", () -> looks.get() > 0);
            create("boats");

            eventually("the pin is in force in spite of two errors", () -> !found.isEmpty());
            assertThat(errors.get()).isGreaterThan(2);
            eventually(
                    "both go on",
                    () -> pins.work().stream()
                            .allMatch(work -> work.isAlive() && work.problem().isEmpty()));
        }
    }

    @Test
    void driftWhileAClusterIsListedAnew_isSeenAfterwards() {
        List.of(DEV, TEST, PROD).forEach(cluster -> boats.define(cluster, boats.good));
        boats.register(PROD);
        create("boats");
        try (TypePins pins = pins(root.root.baseHandler()::serve)) {
            pins.start();
            eventually("all are looked at", () -> looks.get() > 1);

            boats.ledger(PROD).nextEpoch();
            int before = looks.get();
            eventually("nothing is known", () -> looks.get() > before + 1);
            boats.define(PROD, boats.bad);

            eventually("the event is told", () -> boats.events().contains("TypeDrift"));
        }
    }

    private TypePins pins(Function<ApiRequest, ApiResponse> answers) {
        return boats.pins(new Answering(root.root, answers), used::add, this::looked);
    }

    private void looked(Map<ClusterName, Finding> findings) {
        found = findings;
        looks.incrementAndGet();
    }

    private void create(String name) {
        boats.create(name, "clusters: {all: true}, group: example.com, consistentAcross: {all: true}");
    }

    private static ApiResponse failure() {
        return new ApiResponse.Whole(500, "application/json", Map.of(), "{}".getBytes(UTF_8));
    }

    /** A watch that says nothing, and then ends. */
    private static ApiResponse blindUntil(CountDownLatch broken) {
        return new ApiResponse.Stream(200, "application/json", Map.of(), new ApiResponse.Frames() {
            @Override
            public byte @Nullable [] next() throws InterruptedException {
                broken.await();
                return null;
            }

            @Override
            public void close() {
                broken.countDown();
            }
        });
    }
}
