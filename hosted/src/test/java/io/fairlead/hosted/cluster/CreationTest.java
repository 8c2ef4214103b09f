package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.RevisionedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to create a cluster over the store on disk, each object of it durable. */
class CreationTest {
    private static final int CLUSTERS = 40;

    /** Far above what is usual (a few milliseconds on an idle machine), far below one sync per object on a slow disk. */
    private static final Duration MEDIAN_MAX = Duration.ofMillis(100);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final RevisionedStore store;
    private final HostedClusters clusters;

    CreationTest(@TempDir Path directory) {
        store = EmbeddedStore.open(directory, Engine.OPTIONS);
        clusters = new HostedClusters(
                store,
                Fixture.settings(64, 64),
                HostedViews.factory(InstantSource.system()),
                List.of(),
                "CERTIFICATES",
                InstantSource.system(),
                scheduler);
    }

    @AfterEach
    void close() {
        clusters.close();
        scheduler.shutdownNow();
        store.close();
    }

    @Test
    void creation_toTheFirstAuthorisedGet_isShort() {
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < CLUSTERS; i++) {
            long start = System.nanoTime();
            useNew("c" + i);
            nanos.add(System.nanoTime() - start);
        }

        long median = nanos.stream().sorted().toList().get(CLUSTERS / 2);

        assertThat(Duration.ofNanos(median)).isLessThan(MEDIAN_MAX);
    }

    @Test
    void creations_atOnce_shareTheSyncsOfTheDisk() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> creations = new ArrayList<>();
            for (int i = 0; i < CLUSTERS; i++) {
                String name = "c" + i;
                creations.add(threads.submit(() -> useNew(name)));
            }
            for (Future<?> creation : creations) {
                creation.get();
            }
        }

        assertThat(clusters.stored()).hasSize(CLUSTERS);
    }

    private void useNew(String name) {
        HostedCluster cluster = clusters.open(new ClusterName(name));
        UserInfo admin = UserInfo.of("admin", List.of(UserInfo.MASTERS));
        var request = RequestInfoParser.parse("GET", "/api/v1/namespaces/default", "");
        assertThat(cluster.authorize(admin, request)).isInstanceOf(Decision.Allowed.class);
        new Api(cluster).get("/api/v1/namespaces/default").expect(200);
    }
}
