package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is held of changes for watches, and what becomes of those that fall behind. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchMemoryTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECT_BYTES = 100_000;
    private static final int UPDATES = 60;

    /** A third of it is for changes, half of that for one cluster: a dozen of these. */
    private final ByteBudget budget = ByteBudget.of(15_000_000);

    private final HostedMemory memory = TestMemory.of(budget);
    private Fixture fixture;

    @BeforeEach
    void open() {
        fixture = new Fixture(new MemoryStore(), Fixture.settings(1024, 1024, memory), List.of());
    }

    @AfterEach
    void close() {
        fixture.close();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void updatesOfALargeObject_keepNoMoreThanTheClustersShare() {
        Api api = fixture.dev();
        api.createJson(MAPS, object("large", 0)).expect(201);
        try (Events watch = api.watch(MAPS)) {
            watch.next();
            for (int i = 1; i <= UPDATES; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
                assertThat(watch.next().object().at("/data/n").asString("")).isEqualTo("" + i);
                assertThat(budget.taken()).isLessThanOrEqualTo(memory.history().clusterBytesMax());
            }
        }
    }

    @Test
    void watchThatFallsBehindByItsBytes_endsAndGoesOnFromTheStore() {
        Api api = fixture.dev();
        String from = api.createJson(MAPS, object("large", 0)).expect(201).resourceVersion();
        List<String> seen = new ArrayList<>();
        try (Events slow = api.watch(MAPS + "?resourceVersion=" + from);
                Events secrets = api.watch("/api/v1/secrets")) {
            for (int i = 1; i <= UPDATES; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
            }
            api.createJson("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"last\"}}")
                    .expect(201);
            // A watcher that is told of this was told of all before.
            assertThat(secrets.next().name()).isEqualTo("last");
            from = read(slow, seen, from);
        }
        assertThat(seen).hasSizeLessThan(UPDATES);
        while (seen.size() < UPDATES) {
            try (Events again = api.watch(MAPS + "?timeoutSeconds=1&resourceVersion=" + from)) {
                from = read(again, seen, from);
                assertThat(budget.taken()).isLessThanOrEqualTo(memory.history().clusterBytesMax());
            }
        }

        List<String> all = new ArrayList<>();
        for (int i = 1; i <= UPDATES; i++) {
            all.add("" + i);
        }
        assertThat(seen).isEqualTo(all);
    }

    /** What comes meanwhile stands in the store as well. */
    @Test
    void watchThatReadsWhatIsPast_doesNotEndForWhatComesMeanwhile() {
        Api api = fixture.dev();
        String from = api.createJson(MAPS, object("large", 0)).expect(201).resourceVersion();
        for (int i = 1; i <= UPDATES; i++) {
            api.merge(MAPS + "/large", object("large", i)).expect(200);
        }
        try (Events watch = api.watch(MAPS + "?resourceVersion=" + from)) {
            assertThat(watch.next().object().at("/data/n").asString("")).isEqualTo("1");
            for (int i = UPDATES + 1; i <= 2 * UPDATES; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
            }
            for (int i = 2; i <= 2 * UPDATES; i++) {
                assertThat(watch.next().object().at("/data/n").asString("")).isEqualTo("" + i);
                assertThat(budget.taken()).isLessThanOrEqualTo(memory.history().clusterBytesMax());
            }
        }
    }

    @Test
    void changesOfOneCluster_leaveThoseOfOthersAlone() {
        Api api = fixture.dev();
        Api other = fixture.api(new ClusterName("other"));
        try (Events unread = api.watch(MAPS);
                Events neighbour = other.watch(MAPS)) {
            api.createJson(MAPS, object("large", 0)).expect(201);
            for (int i = 1; i <= UPDATES; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
            }
            other.createJson(MAPS, object("small", 1)).expect(201);

            assertThat(neighbour.next().name()).isEqualTo("small");
            assertThat(unread).isNotNull();
        }
    }

    @Test
    void slowWatch_makesRoomForTheOthers() {
        Api api = fixture.dev();
        String from = api.createJson(MAPS, object("large", 0)).expect(201).resourceVersion();
        try (Events slow = api.watch(MAPS + "?resourceVersion=" + from);
                Events quick = api.watch(MAPS + "?resourceVersion=" + from)) {
            for (int i = 1; i <= UPDATES; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
                assertThat(quick.next().object().at("/data/n").asString("")).isEqualTo("" + i);
            }
            assertThat(read(slow, new ArrayList<>(), from)).isNotEmpty();
        }
    }

    /** What it begins with counts as what comes later: else the watch would end that is told of the next change first. */
    @Test
    void watchThatBeginsInThePastAndReadsNothing_makesRoomForTheOthers() {
        Api api = fixture.dev();
        String from = api.createJson(MAPS, object("large", 0)).expect(201).resourceVersion();
        long changesMax = memory.history().clusterBytesMax() / (2 * OBJECT_BYTES);
        try (Events quick = api.watch(MAPS + "?resourceVersion=" + from)) {
            for (int i = 1; i <= changesMax; i++) {
                api.merge(MAPS + "/large", object("large", i)).expect(200);
                assertThat(quick.next().object().at("/data/n").asString("")).isEqualTo("" + i);
            }
            try (Events slow = api.watch(MAPS + "?resourceVersion=" + from)) {
                for (long i = changesMax + 1; i <= 2 * changesMax; i++) {
                    api.merge(MAPS + "/large", object("large", (int) i)).expect(200);
                    assertThat(quick.next().object().at("/data/n").asString("")).isEqualTo("" + i);
                }
                assertThat(read(slow, new ArrayList<>(), from)).isEqualTo(from);
            }
        }
    }

    @Test
    void watchOfAClosedCluster_keepsNoChanges() {
        HostedCluster closed = fixture.clusters.open(Fixture.DEV);
        fixture.clusters.close(Fixture.DEV);
        new Api(closed).watch(MAPS).close();

        Api api = fixture.dev();
        try (Events secrets = api.watch("/api/v1/secrets")) {
            api.createJson(MAPS, object("large", 0)).expect(201);
            api.createJson("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"last\"}}")
                    .expect(201);
            assertThat(secrets.next().name()).isEqualTo("last");
            assertThat(budget.taken()).isLessThan(OBJECT_BYTES);
        }
    }

    /** Reads until the stream ends; the revision to go on from. */
    private static String read(Events events, List<String> seen, String from) {
        String last = from;
        for (Events.Event event = events.nextOrNull(); event != null; event = events.nextOrNull()) {
            seen.add(event.object().at("/data/n").asString(""));
            last = Long.toString(event.revision());
        }
        return last;
    }

    private static String object(String name, int n) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"n\":\"" + n + "\",\"v\":\""
                + "x".repeat(OBJECT_BYTES) + "\"}}";
    }
}
