package io.fairlead.clustersync;

import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexLimits;
import io.fairlead.index.IndexMetrics;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a source tells, as the ledger, the board and the source itself hear of it. */
class IndexFeedTest {
    private static final Set<HolderType> CRDS = Set.of(CRD);

    private final FleetIndex index =
            new FleetIndex(new IndexLimits(1, 10, 10, 10), IndexMetrics.NONE, InstantSource.system());
    private final ClusterLedger ledger = index.open(new ClusterName("prod"), CRDS);
    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<ClusterStatus> reports = new ArrayList<>();
    private final StatusBoard board = new StatusBoard(
            ledger, CRDS, reports::add, InstantSource.system(), scheduler, Runnable::run, Duration.ofMillis(10), false);
    private final List<Runnable> later = new ArrayList<>();
    private final List<String> replacements = new ArrayList<>();
    private final IndexFeed feed =
            new IndexFeed(ledger, board, later::add, (shared, head) -> replacements.add(shared + " to " + head));
    private final FakeTypeSource source = new FakeTypeSource();

    @Test
    void everyChange_reachesTheLedger() {
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 5)), "5"));
        assertThat(ledger.view().sync()).isEqualTo(Sync.SYNCED);
        assertThat(names()).containsExactly("foos");

        feed.accept(new TypeChange.Upserted(crd("bars", "u2", 6)));
        assertThat(names()).containsExactly("bars", "foos");
        feed.accept(new TypeChange.Deleted(CRD, "foos", "other", "7"));
        assertThat(names()).as("another incarnation").containsExactly("bars", "foos");
        feed.accept(new TypeChange.Deleted(CRD, "foos", "u1", "7"));
        assertThat(names()).containsExactly("bars");

        feed.accept(new TypeChange.Lost(CRDS, Finding.no("WatchLost", "it is")));
        assertThat(ledger.view().sync()).isEqualTo(Sync.LOST);
        assertThat(reported().typesSynced().reason()).isEqualTo("WatchLost");
        feed.accept(new TypeChange.Current(CRDS));
        assertThat(ledger.view().sync()).isEqualTo(Sync.SYNCED);
        assertThat(reported().typesSynced().reason()).isEqualTo("Synced");
        feed.accept(new TypeChange.Failed(CRDS, Finding.no("ListFailed", "it did")));
        assertThat(ledger.view().sync()).isEqualTo(Sync.SYNCED);
        assertThat(later).as("nothing to learn anew").isEmpty();
    }

    @Test
    void listThatIsOlderThanWhatWasHeard_begins_aNewEpoch() {
        feed.follow(source);
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));

        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("bars", "u2", 4)), "5"));

        assertReplaced("a complete list is at resourceVersion 5 and 50 was seen before", "");
    }

    @Test
    void listWithAnObjectThatIsOlderThanBefore_beginsANewEpoch() {
        feed.follow(source);
        feed.accept(new TypeChange.Complete(
                CRDS, List.of(crd("foos", "u1", 50), crd("bars", "u2", 6), crd("bazs", "u3", 7)), "50"));

        feed.accept(new TypeChange.Complete(
                CRDS, List.of(crd("foos", "u1", 40), crd("bazs", "u3", 7), crd("bars", "u2", 6)), "60"));

        assertReplaced("CRD foos is at resourceVersion 40", "7");
    }

    @Test
    void sourceThatSaysSo_beginsANewEpoch() {
        feed.follow(source);
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));

        feed.accept(new TypeChange.Replaced("because of the test", "30"));

        assertReplaced("because of the test", "30");
    }

    @Test
    void changeThatIsStale_isNoOtherHistory() {
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));

        feed.accept(new TypeChange.Upserted(crd("foos", "u1", 40)));

        assertThat(ledger.view().evidence().epoch()).isEqualTo(1);
        assertThat(replacements).isEmpty();
        assertThat(names()).containsExactly("foos");
    }

    @Test
    void forgotten_isUnknown_untilItIsLearntAnew() {
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));
        assertThat(reported().typesSynced().reason()).isEqualTo("Synced");

        feed.forget();

        assertThat(ledger.view().sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(reported().typesSynced().reason()).isEqualTo("Listing");
        assertThat(reported().typesSynced().message()).doesNotContain("replaced");
    }

    @Test
    void olderHistoryBehindOtherEndpoints_isARewind_inTheEpochThatBeganWithThem() {
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));
        feed.forget();

        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 4)), "5"));
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 4)), "6"));

        assertThat(replacements).containsExactly(" to 50");
        assertThat(ledger.view().evidence().epoch()).isEqualTo(2);
        assertThat(names()).containsExactly("foos");
    }

    @Test
    void sameHistoryBehindOtherEndpoints_isNoRewind() {
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));
        feed.forget();

        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 50)), "50"));

        assertThat(replacements).isEmpty();
    }

    @Test
    void problemOfAHolder_isLoggedOnce() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(IndexFeed.class);
        logger.addAppender(lines);
        try {
            Holder tooMany = crd("foos", "u1", 5, "v1", "v2");
            feed.accept(new TypeChange.Complete(CRDS, List.of(tooMany), "5"));
            feed.accept(new TypeChange.Complete(CRDS, List.of(tooMany), "6"));
            feed.accept(new TypeChange.Upserted(tooMany));

            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line.getKeyValuePairs().toString()).contains("prod", "CRD foos", "2 versions"));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void whatIsAskedOfTheSource_isPassedOn() {
        assertThat(feed.silentNanos()).as("nothing is followed").isEqualTo(Long.MAX_VALUE);
        assertThat(feed.look()).isFalse();
        feed.restart();
        feed.hurry();
        feed.doubt(CRD);
        assertThat(feed.matchesSource()).isEmpty();
        assertThat(feed.verify()).isEmpty();
        assertThat(source.calls).isEmpty();

        feed.follow(source);
        feed.restart();
        feed.hurry();
        feed.doubt(CRD);
        assertThat(feed.look()).isTrue();
        assertThat(feed.silentNanos()).isEqualTo(77);

        assertThat(source.calls).containsExactly("restart", "hurry", "doubt CRD", "look");
        feed.close();
        assertThat(source.calls).endsWith("close");
        assertThat(index.view(new ClusterName("prod"))).isEmpty();
    }

    @Test
    void recount_isComparedWithTheIndex_ifNeitherChangesMeanwhile() {
        feed.follow(source);
        source.recount = () -> Optional.of(List.of(crd("foos", "u1", 5, "v1")));
        assertThat(feed.matchesSource()).as("not synced").isEmpty();
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 5, "v1")), "5"));

        assertThat(feed.matchesSource()).contains(true);
        assertThat(feed.compare())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isTrue());

        source.recount = () -> Optional.of(List.of(crd("bars", "u2", 5, "v1")));
        assertThat(feed.matchesSource()).contains(false);
        assertThat(feed.compare())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isFalse());

        source.recount = Optional::empty;
        assertThat(feed.matchesSource()).isEmpty();
        int[] recounts = {0};
        source.recount = () -> {
            feed.accept(new TypeChange.Upserted(crd("r" + ++recounts[0], "u", 10 + recounts[0])));
            return Optional.of(List.of());
        };
        assertThat(feed.matchesSource()).as("never quiet").isEmpty();
        assertThat(recounts[0]).isEqualTo(5);
    }

    @Test
    void verify_asksTheClusterAgain_ifItMayBeAMomentAhead() {
        feed.follow(source);
        int[] asked = {0};
        source.ask = () -> {
            asked[0]++;
            return Optional.of(List.of(crd("foos", "u1", 5, "v1")));
        };
        assertThat(feed.verify()).as("not synced").isEmpty();
        assertThat(asked[0]).isZero();
        feed.accept(new TypeChange.Complete(CRDS, List.of(crd("foos", "u1", 5, "v1")), "5"));

        assertThat(feed.verify())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isTrue());
        assertThat(asked[0]).isEqualTo(1);
        source.ask = () -> {
            asked[0]++;
            return Optional.of(List.of(crd("bars", "u2", 5, "v1")));
        };
        assertThat(feed.verify())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isFalse());
        assertThat(asked[0]).isEqualTo(1 + 5);
        source.ask = Optional::empty;
        assertThat(feed.verify()).isEmpty();
    }

    private void assertReplaced(String proof, String shared) {
        assertThat(replacements).as("it is told").containsExactly(shared + " to 50");
        assertThat(ledger.view().evidence().epoch()).isEqualTo(2);
        assertThat(ledger.view().sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(reported().typesSynced().reason()).isEqualTo("HistoryReplaced");
        assertThat(reported().typesSynced().message()).contains(proof);
        assertThat(source.calls).as("its locks may be held").containsExactly("forget");
        later.forEach(Runnable::run);
        assertThat(source.calls).containsExactly("forget", "restart");
    }

    private ClusterStatus reported() {
        scheduler.pass(Duration.ofMillis(10));
        return reports.getLast();
    }

    private List<String> names() {
        return ledger.view().holders().stream().map(Holder::name).toList();
    }

    private static Holder crd(String name, String uid, long resourceVersion, String... versions) {
        List<Contribution> contributions = new ArrayList<>();
        for (String version : versions) {
            contributions.add(Contribution.of(new GroupVersion("example.com", version), Set.of(name)));
        }
        return new Holder(CRD, name, uid, Long.toString(resourceVersion), contributions);
    }
}
