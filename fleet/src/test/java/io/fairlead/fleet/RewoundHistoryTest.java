package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Sync;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.NamedRevision;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What people see of a cluster whose history was rewound, and what is known of it after a restart. */
final class RewoundHistoryTest extends CrdRuntimeFixture {
    private static final String EVENTS = "/api/v1/namespaces/default/events";

    @Test
    void rewind_standsInTheStatus_andInAnEvent_andIsKnownAfterARestart() {
        revision = 1_000;
        register("caBundle: " + cas(), "null");
        eventually(
                "its history is consistent", () -> reason("HistoryConsistent").equals("True Consistent"));
        assertThat(status().path("epoch").asInt()).isEqualTo(1);
        assertThat(status().has("history")).isFalse();

        revision = 5;

        eventually(
                "the rewind stands in the status",
                () -> status().path("epoch").asInt() == 2
                        && rewind().path("upTo").asString("").equals("1000"));
        eventually(
                "its history is consistent again",
                () -> reason("HistoryConsistent").equals("True Consistent"));
        assertThat(rewind().path("time").asString("")).isNotEmpty();
        JsonNode events = root.send(ADMIN, "GET", EVENTS, "").body().path("items");
        assertThat(events.values())
                .filteredOn(event -> event.path("reason").asString("").equals("HistoryRewound"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.at("/involvedObject/name").asString("")).isEqualTo("prod");
                    assertThat(event.at("/involvedObject/uid").asString(""))
                            .isEqualTo(root.cluster("prod").at("/metadata/uid").asString());
                    assertThat(event.path("message").asString("")).contains("up to 1000 may be gone");
                });

        fleet.close();
        sync.close();
        FleetIndex fresh = FleetIndex.create();
        StatusInbox reports = new StatusInbox();
        try (ClusterSync again = sync(fresh, reports);
                Fleet restarted = new Fleet(
                        root.hosted,
                        again,
                        fresh,
                        reports,
                        InstantSource.system(),
                        new ClusterIdentities(InstantSource.system(), ConflictTransitions.NONE),
                        _ -> {})) {
            restarted.register();
            restarted.start("https://localhost:6443");
            eventually("it is followed", () -> fresh.view(PROD).orElseThrow().sync() == Sync.SYNCED);

            assertThat(fresh.view(PROD).orElseThrow().evidence().epoch()).isEqualTo(2);
            assertThat(again.histories()
                            .judge(PROD, "1000")
                            .toCompletableFuture()
                            .orTimeout(20, TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(NamedRevision.ABOVE_HEAD);
            eventually(
                    "its history is consistent",
                    () -> reason("HistoryConsistent").equals("True Consistent"));
            assertThat(status().path("epoch").asInt()).isEqualTo(2);
            assertThat(status().at("/history/rewinds").size()).isEqualTo(1);
            assertThat(root.send(ADMIN, "GET", EVENTS, "").body().path("items").values())
                    .filteredOn(event -> event.path("reason").asString("").equals("HistoryRewound"))
                    .hasSize(1);
        }
    }

    private ClusterSync sync(FleetIndex of, StatusInbox reports) {
        return new ClusterSync(
                of,
                upstreams,
                _ -> connections,
                TestSettings.sync(),
                reports,
                InstantSource.system(),
                new Random(1),
                HistoryMetrics.NONE,
                Duration.ofSeconds(60));
    }

    private JsonNode status() {
        return root.cluster("prod").path("status");
    }

    private JsonNode rewind() {
        return status().at("/history/rewinds/0");
    }
}
