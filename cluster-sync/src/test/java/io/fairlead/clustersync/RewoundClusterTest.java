package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Answer;
import io.fairlead.index.Sync;
import io.fairlead.index.history.KnownHistory;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.index.history.Rewind;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a cluster whose store was restored from a backup, over the real client. */
final class RewoundClusterTest {
    private static final String FOOS = "foos.example.com";
    private static final String BARS = "bars.example.com";

    private final FollowedCluster prod = new FollowedCluster();
    private final FakeApiServer server = prod.server("h2");

    @AfterEach
    void close() {
        prod.close();
    }

    @Test
    void restoredStore_isOneRewind_whichIsToldOnce_andReported() throws Exception {
        Queue<ClusterName> told = new ConcurrentLinkedQueue<>();
        FakeApiServer.Copy copy = beginAndCopy();
        String shared = Long.toString(copy.revision());
        server.put(CRDS, BARS, crd("bars", "example.com", "v1"));
        server.advance(1_000);
        server.bookmark(CRDS, 1_000);
        eventually(() -> evidence().equals("1000"));
        try (AutoCloseable _ = prod.sync.histories().whenRewound(told::add)) {
            assertThat(judge("1000")).isEqualTo(NamedRevision.CURRENT);

            restore(copy);

            eventually(() -> prod.sync() == Sync.SYNCED && epoch() == 2);
            eventually(() -> !told.isEmpty() && !prod.last().rewound().isEmpty());
            eventually(() -> lastIsConsistent() == Finding.Status.TRUE);
            assertThat(prod.lookup("example.com", "v1", "bars")).isEqualTo(Answer.ABSENT);
            assertThat(prod.last().rewound().rewinds())
                    .singleElement()
                    .returns(shared, Rewind::after)
                    .returns("1000", Rewind::upTo);
            assertThat(prod.reports)
                    .anySatisfy(report -> assertThat(report.historyConsistent())
                            .hasValueSatisfying(found -> assertThat(found)
                                    .returns(Finding.Status.FALSE, Finding::status)
                                    .returns("HistoryRewound", Finding::reason)));
            assertThat(judge("1000")).as("above the new head").isEqualTo(NamedRevision.ABOVE_HEAD);
            assertThat(judge("2000")).isEqualTo(NamedRevision.ABOVE_HEAD);
            assertThat(judge(shared)).isEqualTo(NamedRevision.CURRENT);
            server.advance(copy.revision() + 1);
            assertThat(judge(Long.toString(copy.revision() + 1)))
                    .as("the new history has come so far, which its informers have not heard of")
                    .isEqualTo(NamedRevision.REWOUND);
            assertThat(told).containsExactly(PROD);
            assertThat(epoch()).isEqualTo(2);
        }
    }

    /** Nothing but the head of the bookmark shows that history was lost. */
    @Test
    void restoredStoreWithTheSameObjects_isARewind_ifABookmarkWasAboveIt() {
        FakeApiServer.Copy copy = beginAndCopy();
        server.advance(1_000);
        server.bookmark(API_SERVICES, 1_000);
        eventually(() -> evidence().equals("1000"));

        restore(copy);

        eventually(() -> prod.sync() == Sync.SYNCED && epoch() == 2);
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
    }

    /** The informers have heard of nothing that was lost: the restored copy is younger than the last bookmark. */
    @Test
    void restoredStoreThatIsBehindWhatAClientKnows_isARewind() {
        FakeApiServer.Copy copy = beginAndCopy();
        server.advance(1_000);
        String named = "1000";
        assertThat(judge(named)).isEqualTo(NamedRevision.CURRENT);
        eventually(() -> server.requests().contains("GET " + HeadQuestion.PATH));
        assertThat(prod.sync.verify(PROD)).as("asked later, so answered later").isPresent();

        restore(copy);
        eventually(() -> prod.sync() == Sync.SYNCED && prod.sync.silentNanos(PROD) == 0);
        assertThat(epoch()).isEqualTo(1);

        eventually(() -> {
            judge(named);
            return epoch() == 2 && prod.sync() == Sync.SYNCED;
        });
        assertThat(judge(named)).isEqualTo(NamedRevision.ABOVE_HEAD);
        assertThat(prod.last().rewound().rewinds()).singleElement().returns("1000", Rewind::upTo);
    }

    @Test
    void serverThatReturnsWithTheSameHistory_isConsistent() {
        beginAndCopy();
        server.advance(1_000);
        server.bookmark(CRDS, 1_000);
        eventually(() -> evidence().equals("1000"));

        goAway();
        server.listen();

        eventually(() -> prod.sync.silentNanos(PROD) == 0);
        assertThat(epoch()).isEqualTo(1);
        assertThat(lastIsConsistent()).isEqualTo(Finding.Status.TRUE);
        assertThat(prod.last().rewound()).isEqualTo(RewoundRevisions.NONE);
    }

    @Test
    void historyFromBefore_isContinued() {
        RewoundRevisions rewound = RewoundRevisions.NONE.with(new Rewind("5", "100000", Instant.now()));
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));

        prod.sync.attach(
                new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null), new KnownHistory(7, rewound), "");

        assertThat(epoch()).isEqualTo(7);
        eventually(() -> prod.sync() == Sync.SYNCED && !prod.reports.isEmpty());
        assertThat(prod.last().rewound()).isEqualTo(rewound);
        assertThat(judge("50000")).isEqualTo(NamedRevision.ABOVE_HEAD);
        assertThat(judge("50")).isEqualTo(NamedRevision.REWOUND);
    }

    private FakeApiServer.Copy beginAndCopy() {
        server.put(API_SERVICES, "v1.", builtIn("", "v1"));
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        FakeApiServer.Copy copy = server.copy();
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED && prod.sync.silentNanos(PROD) == 0);
        return copy;
    }

    private void restore(FakeApiServer.Copy copy) {
        goAway();
        server.restore(copy);
        server.listen();
    }

    private void goAway() {
        server.down();
        eventually(() -> prod.sync.silentNanos(PROD) == Long.MAX_VALUE);
    }

    private NamedRevision judge(String named) {
        return prod.sync
                .histories()
                .judge(PROD, named)
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private Finding.Status lastIsConsistent() {
        return prod.last().historyConsistent().orElseThrow().status();
    }

    private long epoch() {
        return prod.index.view(PROD).orElseThrow().evidence().epoch();
    }

    private String evidence() {
        return prod.index.view(PROD).orElseThrow().evidence().resourceVersion();
    }
}
