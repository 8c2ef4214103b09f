package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.UNPROBED;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Sync;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For how long changes of what a cluster serves may have gone unheard. */
final class EvidenceAgeTest {
    private final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void silence_countsFromTheLastWord_untilTheWatchStandsAgain(String protocol) {
        FakeApiServer server = prod.server(protocol);
        assertThat(prod.sync.silentNanos(PROD)).as("not followed").isEqualTo(Long.MAX_VALUE);
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync.silentNanos(PROD) == 0);

        server.down();

        eventually(() -> prod.sync.silentNanos(PROD) > TimeUnit.MILLISECONDS.toNanos(300));
        server.listen();
        eventually(() -> prod.sync.silentNanos(PROD) == 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void silence_afterALapse_isOverWithTheNextCompleteList(boolean historyForgotten) {
        FakeApiServer server = prod.server("h2");
        try (ClusterSync unprobed = prod.sync(UNPROBED)) {
            unprobed.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && unprobed.silentNanos(PROD) == 0);
            server.down();
            long lapse = TimeUnit.SECONDS.toNanos(2);
            eventually(() -> prod.sync() == Sync.LOST && unprobed.silentNanos(PROD) > lapse);

            server.neverAnswerLists(true);
            if (historyForgotten) {
                server.gap(() -> server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1")));
            }
            int before = server.requests().size();
            server.listen();

            eventually(() -> server.requests().stream()
                    .skip(before)
                    .anyMatch(request -> request.contains(CRDS) && request.contains("watch=true")));
            eventually(() -> server.requests().stream()
                    .skip(before)
                    .anyMatch(request -> request.contains(CRDS) && !request.contains("watch=true")));
            assertThat(unprobed.silentNanos(PROD)).isGreaterThan(lapse);
            server.neverAnswerLists(false);
            eventually(() -> unprobed.silentNanos(PROD) == 0);
        }
    }

    @Test
    void silence_beforeTheFirstList_isForEver() {
        FakeApiServer server = prod.server("h2");
        server.neverAnswerLists(true);
        prod.attach(server, null);

        eventually(() -> server.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(prod.sync.silentNanos(PROD)).isEqualTo(Long.MAX_VALUE);

        server.neverAnswerLists(false);
        eventually(() -> prod.sync.silentNanos(PROD) == 0);
    }

    @Test
    void silence_ofAPIServices_counts() {
        FakeApiServer server = prod.server("h2");
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync.silentNanos(PROD) == 0);

        server.refuseWatches(API_SERVICES);
        server.endWatches();

        eventually(() -> server.watcherCount() == 1 && prod.sync() == Sync.LOST);
        assertThat(prod.sync.silentNanos(PROD)).isPositive();
        server.refuseWatches("");
        eventually(() -> prod.sync.silentNanos(PROD) == 0);
    }
}
