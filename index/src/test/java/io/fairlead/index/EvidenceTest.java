package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static io.fairlead.index.Outcome.Effect.CHANGED;
import static io.fairlead.index.Outcome.Effect.CLOSED;
import static io.fairlead.index.Outcome.Effect.STALE;
import static io.fairlead.index.Outcome.Effect.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.GroupVersion;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a view rests on, and that evidence never goes backwards. */
class EvidenceTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(CRD);

    private Instant now = Instant.parse("2026-11-22T10:00:00Z");
    private final FleetIndex index = new FleetIndex(IndexLimits.NONE, IndexMetrics.NONE, () -> now);
    private final ClusterLedger ledger = index.open(PROD, CRDS);

    @AfterEach
    void consistent() {
        index.assertConsistent();
        ledger.assertConsistent();
    }

    @Test
    void bookmark_movesTheEvidenceOn_andNeverBack() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", "5")), "10");
        Instant listed = now;
        now = now.plusSeconds(60);

        assertThat(ledger.bookmark(CRDS, "20").effect()).isEqualTo(UNCHANGED);
        assertThat(ledger.view().evidence()).isEqualTo(new Evidence(Sync.SYNCED, 1, "20", now));
        Instant heard = now;
        now = now.plusSeconds(60);
        ledger.bookmark(CRDS, "15");
        assertThat(ledger.view().evidence().resourceVersion()).isEqualTo("20");
        assertThat(ledger.view().evidence().time())
                .as("it was heard of all the same")
                .isEqualTo(now);
        ledger.bookmark(CRDS, "");
        assertThat(heard).isAfter(listed);
        assertThat(ledger.relist(CRDS, List.of(), "19").effect()).isEqualTo(STALE);
        assertThat(ledger.relist(CRDS, List.of(), "20").effect()).isEqualTo(CHANGED);
    }

    @Test
    void wordWithoutAVersion_leavesTheTimeAsItWas() {
        ledger.relist(CRDS, List.of(), "10");
        Evidence before = ledger.view().evidence();
        now = now.plusSeconds(60);

        assertThat(ledger.markLost(CRDS).effect()).isEqualTo(CHANGED);
        assertThat(ledger.markLost(CRDS).effect()).isEqualTo(UNCHANGED);
        assertThat(ledger.markCurrent(CRDS).effect()).isEqualTo(CHANGED);
        assertThat(ledger.markCurrent(CRDS).effect()).isEqualTo(UNCHANGED);

        assertThat(ledger.view().evidence()).isEqualTo(before);
    }

    @Test
    void incarnationThatTheLastListDidNotHave_isOnlyTakenIfItIsNewer() {
        ledger.relist(CRDS, List.of(), "10");

        assertThat(ledger.upsert(crd("foos", "u1", "9")).effect()).isEqualTo(STALE);
        assertThat(ledger.upsert(crd("foos", "u1", "10")).effect()).isEqualTo(STALE);
        assertThat(ledger.upsert(crd("foos", "u1", "11")).effect()).isEqualTo(CHANGED);
        assertThat(ledger.upsert(crd("foos", "u2", "10")).effect())
                .as("an earlier incarnation")
                .isEqualTo(STALE);
        assertThat(ledger.upsert(crd("foos", "u2", "12")).effect()).isEqualTo(CHANGED);
    }

    @Test
    void incarnationThatTheLastListHad_mayBeToldAgain() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", "10")), "10");

        assertThat(ledger.upsert(crd("foos", "u1", "10")).effect()).isEqualTo(UNCHANGED);
        assertThat(ledger.upsert(crd("foos", "u1", "10").implementedBy("sha256:1"))
                        .effect())
                .isEqualTo(CHANGED);
    }

    @Test
    void listWithoutAVersion_refusesNothing() {
        ledger.relist(CRDS, List.of(), "");

        assertThat(ledger.upsert(crd("foos", "u1", "1")).effect()).isEqualTo(CHANGED);
        assertThat(ledger.relist(CRDS, List.of(), "").effect()).isEqualTo(CHANGED);
        assertThat(ledger.upsert(crd("foos", "u1", "")).effect()).isEqualTo(CHANGED);
        assertThat(ledger.upsert(crd("foos", "u2", "")).effect()).isEqualTo(CHANGED);
    }

    @Test
    void deletion_isEvidenceToo() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", "5")), "10");

        assertThat(ledger.delete(CRD, "foos", "u1", "30").effect()).isEqualTo(CHANGED);
        assertThat(ledger.delete(CRD, "bars", "u9", "40").effect()).isEqualTo(UNCHANGED);

        assertThat(ledger.view().evidence().resourceVersion()).isEqualTo("30");
        assertThat(ledger.relist(CRDS, List.of(), "39").effect())
                .as("40 was heard of")
                .isEqualTo(STALE);
        assertThat(ledger.relist(CRDS, List.of(), "40").effect()).isEqualTo(UNCHANGED);
    }

    @Test
    void newEpoch_forgetsAllEvidence() {
        ledger.relist(CRDS, List.of(crd("foos", "u1", "5")), "10");
        ledger.delete(CRD, "foos", "u1", "11");
        ledger.markLost(CRDS);
        now = now.plusSeconds(60);

        assertThat(ledger.nextEpoch().effect()).isEqualTo(CHANGED);

        assertThat(ledger.view().evidence()).isEqualTo(new Evidence(Sync.UNSYNCED, 2, "", now));
        assertThat(ledger.relist(CRDS, List.of(), "3").effect()).isEqualTo(CHANGED);
        assertThat(ledger.view().sync()).as("nothing is lost any more").isEqualTo(Sync.SYNCED);
        assertThat(ledger.upsert(crd("foos", "u1", "5")).effect())
                .as("no deletion is kept in mind")
                .isEqualTo(CHANGED);
    }

    @Test
    void newEpoch_isUnknown_whateverIsToldBeforeItsFirstList() {
        ledger.relist(CRDS, List.of(), "10");
        ledger.nextEpoch();

        assertThat(ledger.upsert(crd("foos", "u1", "5")).effect())
                .as("10 is of another epoch")
                .isEqualTo(CHANGED);
        assertThat(ledger.view().sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(index.lookup(PROD, "example.com", "v1", "foos")).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void singleChange_isEvidenceToo() {
        ledger.relist(CRDS, List.of(), "10");
        ledger.upsert(crd("foos", "u1", "20"));

        assertThat(ledger.relist(CRDS, List.of(), "15").effect()).isEqualTo(STALE);
    }

    @Test
    void list_endsWhatWasKeptInMindOfDeletions() {
        ledger.relist(CRDS, List.of(), "");
        ledger.delete(CRD, "foos", "u1", "");
        assertThat(ledger.upsert(crd("foos", "u1", "")).effect()).isEqualTo(STALE);

        ledger.relist(CRDS, List.of(), "");

        assertThat(ledger.upsert(crd("foos", "u1", "")).effect()).isEqualTo(CHANGED);
    }

    @Test
    void everyType_hasEvidenceOfItsOwn() {
        ClusterLedger both = index.open(new ClusterName("both"), Set.of(CRD, API_SERVICE, BUILT_IN));
        both.relist(CRDS, List.of(), "100");

        assertThat(both.relist(Set.of(API_SERVICE, BUILT_IN), List.of(), "50").effect())
                .isEqualTo(CHANGED);

        assertThat(both.view().evidence().resourceVersion()).isEqualTo("100");
        assertThat(both.relist(Set.of(CRD, API_SERVICE), List.of(), "99").effect())
                .isEqualTo(STALE);
        both.markLost(Set.of(API_SERVICE));
        both.markCurrent(CRDS);
        assertThat(both.view().sync()).isEqualTo(Sync.LOST);
        both.relist(Set.of(API_SERVICE), List.of(), "60");
        assertThat(both.view().sync()).isEqualTo(Sync.SYNCED);
        both.close();
    }

    @Test
    void changesOfViews_areCounted() {
        long before = index.changeCount();
        ledger.relist(CRDS, List.of(), "1");
        assertThat(index.changeCount()).isEqualTo(before + 1);
        ledger.upsert(crd("foos", "u1", "2"));
        ledger.nextEpoch();
        assertThat(index.changeCount()).isEqualTo(before + 3);
        ClusterLedger other = index.open(new ClusterName("other"), CRDS);
        other.close();

        assertThat(index.changeCount()).isEqualTo(before + 5);
    }

    @Test
    void view_namesItsHolders() {
        Holder foos = crd("foos", "u1", "5");
        ledger.relist(CRDS, List.of(foos, crd("bars", "u2", "5")), "10");
        ClusterView view = ledger.view();

        assertThat(ledger.cluster()).isEqualTo(PROD);
        assertThat(view.cluster()).isEqualTo(PROD);
        assertThat(index.view(PROD)).contains(view);
        assertThat(index.views()).containsExactly(view);
        assertThat(view.holder(CRD, "foos")).contains(foos);
        assertThat(view.holder(CRD, "none")).isEmpty();
        assertThat(view.holders(new GroupResource("example.com", "foos"))).containsExactly(foos);
        assertThat(view.holders(new GroupResource("other.com", "foos"))).isEmpty();
        assertThat(view.holders(new GroupResource("example.com", "none"))).isEmpty();
    }

    @Test
    void closedLedger_takesNothing() {
        ClusterLedger gone = index.open(new ClusterName("gone"), CRDS);
        gone.relist(CRDS, List.of(crd("foos", "u1", "5")), "10");
        gone.close();

        assertThat(gone.view().sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(gone.view().holders()).isEmpty();
        assertThat(gone.relist(CRDS, List.of(), "11").effect()).isEqualTo(CLOSED);
        assertThat(gone.delete(CRD, "foos", "u1", "11").effect()).isEqualTo(CLOSED);
        assertThat(gone.bookmark(CRDS, "11").effect()).isEqualTo(CLOSED);
        assertThat(gone.markLost(CRDS).effect()).isEqualTo(CLOSED);
        assertThat(gone.nextEpoch().effect()).isEqualTo(CLOSED);
    }

    @Test
    void typeThatNobodyExpects_isRefused() {
        assertThatThrownBy(() -> ledger.relist(Set.of(BUILT_IN), List.of(), "1"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ledger.delete(BUILT_IN, "n", "u", "1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Holder crd(String plural, String uid, String resourceVersion) {
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural));
        return new Holder(CRD, plural, uid, resourceVersion, List.of(contribution));
    }
}
