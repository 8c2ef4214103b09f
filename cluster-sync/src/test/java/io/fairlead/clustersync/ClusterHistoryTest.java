package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.index.history.KnownHistory;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.index.history.Rewind;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which resourceVersions requests may name, and when the cluster is asked how far its history has come. */
class ClusterHistoryTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final Instant PROVEN = Instant.parse("2026-11-24T12:00:00Z");

    private final ClusterLedger ledger = FleetIndex.create().open(PROD, CRDS);
    private final List<CompletableFuture<String>> asked = new ArrayList<>();
    private final List<String> counted = new ArrayList<>();
    private final CompletableFuture<String> headSeen = new CompletableFuture<>();
    private final SeenHead seen = new SeenHead(ledger, () -> headSeen, () -> 0, epoch -> {});
    private Instant now = PROVEN;
    private final ClusterHistory history =
            new ClusterHistory(ledger, KnownHistory.NONE, this::ask, () -> now, Duration.ofSeconds(60), seen);
    private final ClusterHistories histories = new ClusterHistories(new Counted());

    @BeforeEach
    void follow() {
        histories.put(PROD, history);
        ledger.relist(CRDS, List.of(), "1000");
    }

    @Test
    void clusterThatWasNeverRewound_isNotAsked() {
        assertThat(judge("9999")).isCompletedWithValue(NamedRevision.CURRENT);
        assertThat(asked).isEmpty();
    }

    @Test
    void rewoundRange_isExpiredForAWhile_andCountedAfterwards() {
        rewind();
        ledger.relist(CRDS, List.of(), "600");

        assertThat(judge("550")).isCompletedWithValue(NamedRevision.REWOUND);
        assertThat(judge("500")).isCompletedWithValue(NamedRevision.CURRENT);
        now = PROVEN.plusSeconds(60);
        assertThat(judge("550")).isCompletedWithValue(NamedRevision.REUSED);

        assertThat(asked).isEmpty();
        assertThat(counted).containsExactly("prod REWOUND", "prod REUSED");
    }

    @Test
    void versionAboveWhatWasHeard_isExpired_onlyIfTheClusterSaysSo() {
        rewind();
        now = PROVEN.plusSeconds(3_600);
        ledger.relist(CRDS, List.of(), "600");

        CompletableFuture<NamedRevision> old = judge("900");
        CompletableFuture<NamedRevision> fresh = judge("640");
        CompletableFuture<NamedRevision> unanswered = judge("900");
        assertThat(old).isNotDone();
        asked.get(0).complete("650");
        asked.get(1).complete("650");
        asked.get(2).complete("");

        assertThat(old).isCompletedWithValue(NamedRevision.ABOVE_HEAD);
        assertThat(fresh).as("the informers had not heard of it").isCompletedWithValue(NamedRevision.REUSED);
        assertThat(unanswered).as("nothing is proven").isCompletedWithValue(NamedRevision.CURRENT);
    }

    @Test
    void headThatIsAskedFor_isNeverTakenForOlderThanWhatWasHeard() {
        rewind();
        ledger.relist(CRDS, List.of(), "600");
        CompletableFuture<NamedRevision> named = judge("700");

        ledger.bookmark(CRDS, "800");
        asked.getFirst().complete("650");

        assertThat(named).isCompletedWithValue(NamedRevision.REWOUND);
    }

    @Test
    void rewind_coversTheHeadThatWasSeen_ifTheInformersHadNotHeardOfIt() {
        judge("1200");
        headSeen.complete("1300");

        rewind();

        assertThat(history.rewound().rewinds()).singleElement().returns("1300", Rewind::upTo);
    }

    @Test
    void whatIsKnownFromBefore_counts() {
        rewind();
        ClusterHistory restarted = new ClusterHistory(
                ledger, new KnownHistory(2, history.rewound()), this::ask, () -> now, Duration.ofSeconds(60), seen);

        assertThat(restarted.judge("550").toCompletableFuture()).isCompletedWithValue(NamedRevision.REWOUND);
    }

    @Test
    void otherClusters_areNotConcerned_norIsOneThatIsGone() {
        rewind();

        assertThat(histories.judge(new ClusterName("dev"), "550").toCompletableFuture())
                .isCompletedWithValue(NamedRevision.CURRENT);
        histories.remove(PROD);
        assertThat(judge("550")).isCompletedWithValue(NamedRevision.CURRENT);
    }

    @Test
    void listener_isCalledUntilItIsClosed() throws Exception {
        List<ClusterName> heard = new ArrayList<>();
        AutoCloseable listening = histories.whenRewound(heard::add);

        histories.wasRewound(PROD);
        listening.close();
        histories.wasRewound(PROD);

        assertThat(heard).containsExactly(PROD);
    }

    private void rewind() {
        history.rewound("500", ledger.view().evidence().resourceVersion());
        ledger.nextEpoch();
    }

    private CompletableFuture<NamedRevision> judge(String named) {
        return histories.judge(PROD, named).toCompletableFuture();
    }

    private CompletableFuture<String> ask() {
        asked.add(new CompletableFuture<>());
        return asked.getLast();
    }

    private final class Counted implements HistoryMetrics {
        @Override
        public void follow(ClusterName cluster) {}

        @Override
        public void travelled(ClusterName cluster, InformerDecision decision) {
            throw new AssertionError(decision);
        }

        @Override
        public void named(ClusterName cluster, NamedRevision revision) {
            counted.add(cluster + " " + revision);
        }
    }
}
