package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.index.Answer;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexLimits;
import io.fairlead.index.Sync;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A cluster whose answers are too deep, too large or never of use costs itself its types, and Fairlead little. */
final class HostileClusterTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int MANY_LISTS = 1 << 20;

    private final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deepDefinition_isNamed_andLeavesTheOthersIndexed(boolean listed) {
        FakeApiServer server = prod.server("h2");
        server.substitute("deep", "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000));
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        ObjectNode deep = crd("deeps", "example.com", "v1");
        deep.withObject("spec").put("filler", "deep");
        deep.withObject("metadata")
                .put("generateName", "ignored")
                .putArray("managedFields")
                .addObject()
                .put("fieldsV1", "deep");
        if (listed) {
            server.put(CRDS, "deeps.example.com", deep);
        }
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);
        if (!listed) {
            server.put(CRDS, "deeps.example.com", deep);
        }

        eventually(() -> prod.lookup("example.com", "v1", "deeps") == Answer.SERVED);
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        Holder holder = prod.index
                .view(PROD)
                .orElseThrow()
                .holder(HolderType.CRD, "deeps.example.com")
                .orElseThrow();
        assertThat(holder.defines()).as("its digest").isNull();
        eventually(() -> prod.last().typesSynced().message().contains("deeps.example.com")
                && prod.last().typesSynced().reason().equals("Synced"));
    }

    @Test
    void definitionThatIsTooLarge_isReported_andNotAskedForAgainSoon() {
        FakeApiServer server = prod.server("h2");
        server.substitute("large", "\"" + "x".repeat(9 << 20) + "\"");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        ObjectNode large = crd("larges", "example.com", "v1");
        large.withObject("spec").put("filler", "large");
        server.put(CRDS, "larges.example.com", large);
        try (ClusterSync sync = prod.sync(settings(Duration.ofMillis(20), Duration.ofMinutes(1), MANY_LISTS))) {
            AttachedScope scope = sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));

            eventually(() -> !prod.reports.isEmpty()
                    && prod.last().typesSynced().reason().equals("AnswerTooLarge"));
            eventually(() -> lists(server, "limit=1&") + lists(server, "limit=1") > 0);
            awaitProbes(server, 20);

            assertThat(lists(server, CRDS)).as("lists in pages of 3 and of 1").isLessThanOrEqualTo(4);
            assertThat(prod.sync()).isEqualTo(Sync.UNSYNCED);
            server.delete(CRDS, "larges.example.com");
            scope.reconfigure(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> prod.sync() == Sync.SYNCED);
        }
    }

    /** The bounds are an operator's to set, who sees which of them a cluster met. */
    @ParameterizedTest
    @CsvSource({
        "1000, 10000000, 10000000, limits.definitionPageBytesMax",
        "10000000, 500000, 10000000, limits.definitionListBytesMax",
        "10000000, 10000000, 1000, limits.definitionEventBytesMax"
    })
    void boundThatAClusterMeets_isTold(long pageBytes, long listBytes, int eventBytes, String key) {
        FakeApiServer server = prod.server("h2");
        Set<String> reached = ConcurrentHashMap.newKeySet();
        SyncSettings settings = settings(
                Duration.ofMillis(20),
                NEVER,
                MANY_LISTS,
                new AnswerLimits(
                        pageBytes,
                        listBytes,
                        eventBytes,
                        AnswerLimits.Kept.byDefault(Runtime.getRuntime().maxMemory()),
                        reached::add));
        boolean isEvent = key.contains("Event");
        if (!isEvent) {
            putLarge(server);
        }
        try (ClusterSync sync = prod.sync(settings)) {
            sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            if (isEvent) {
                eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);
                putLarge(server);
            }

            eventually(() -> reached.contains(key));
        }
    }

    /** Each definition is small, and a watch has no end. */
    @Test
    void watchThatGoesOnToDefine_isLeft_andWhatWasKnownStaysIndexed() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        Set<String> reached = ConcurrentHashMap.newKeySet();
        AnswerLimits answers = new AnswerLimits(
                10_000_000, 10_000_000, 10_000_000, AnswerLimits.Kept.ofAll(4 * 100_000), reached::add);
        try (ClusterSync sync = prod.sync(settings(Duration.ofMillis(20), NEVER, MANY_LISTS, answers))) {
            sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

            for (int i = 0; i < 200; i++) {
                server.put(CRDS, "r" + i + ".example.com", crd("r" + i, "example.com", "v1"));
            }

            eventually(() -> reached.contains(AnswerLimits.KEPT_BYTES_PER_CLUSTER) && server.watcherCount() == 1);
            assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
            assertThat(prod.index.view(PROD).orElseThrow().holders()).hasSizeLessThan(100);
            awaitProbes(server, 20);
            assertThat(lists(server, CRDS)).as("the first list and its census").isLessThanOrEqualTo(2);
        }
    }

    private static void putLarge(FakeApiServer server) {
        for (int i = 0; i < 8; i++) {
            ObjectNode large = crd("l" + i, "example.com", "v1");
            large.withObject("spec").put("filler", "x".repeat(100_000));
            server.put(CRDS, "l" + i + ".example.com", large);
        }
    }

    @Test
    void historyThatIsAlwaysForgotten_isListedLessAndLessOften() {
        FakeApiServer server = prod.server("h2");
        server.forgetAlways(true);
        try (ClusterSync sync = prod.sync(settings(Duration.ofMillis(20), NEVER, 2))) {
            sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> lists(server, CRDS) > 2);

            awaitProbes(server, 200);

            assertThat(lists(server, CRDS))
                    .as("lists and censuses, with waits that are doubled")
                    .isLessThan(40);
        }
    }

    /** Probes go on; so many later, whatever is done at once has been done. */
    private static void awaitProbes(FakeApiServer server, int count) {
        long before = lists(server, "/version");
        eventually(() -> lists(server, "/version") >= before + count);
    }

    private static long lists(FakeApiServer server, String part) {
        return server.requests().stream()
                .filter(request -> request.contains(part) && !request.contains("watch=true"))
                .count();
    }

    private static SyncSettings settings(Duration retryFirst, Duration retryMax, int listsAtOnceMax) {
        return settings(retryFirst, retryMax, listsAtOnceMax, TestSettings.answers(listsAtOnceMax));
    }

    private static SyncSettings settings(
            Duration retryFirst, Duration retryMax, int listsAtOnceMax, AnswerLimits answers) {
        return new SyncSettings(
                NEVER,
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                NEVER,
                NEVER,
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                retryFirst,
                retryMax,
                3,
                listsAtOnceMax,
                Duration.ofMillis(5),
                answers,
                IndexLimits.NONE);
    }
}
