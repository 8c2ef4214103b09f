package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For how long a deletion is kept in mind. */
class TombstonesTest {
    private static final int KEPT = 256;
    private static final Set<HolderType> CRDS = Set.of(CRD);

    private final Tombstones tombstones = new Tombstones();

    @Test
    void deletion_coversWhatIsNotProvenToBeNewer() {
        tombstones.bury(CRD, "u", "5");

        assertThat(tombstones.cover(holder(CRD, "u", "4"))).isTrue();
        assertThat(tombstones.cover(holder(CRD, "u", "5"))).isTrue();
        assertThat(tombstones.cover(holder(CRD, "u", ""))).isTrue();
        assertThat(tombstones.cover(holder(CRD, "u", "6"))).isFalse();
        assertThat(tombstones.cover(holder(CRD, "other", "4"))).isFalse();
        assertThat(tombstones.cover(holder(API_SERVICE, "u", "4"))).isFalse();
    }

    @Test
    void deletions_areKeptInMind_untilSoManyOthersCame() {
        for (int i = 0; i < KEPT; i++) {
            tombstones.bury(CRD, "u" + i, "5");
        }
        assertThat(tombstones.cover(holder(CRD, "u0", "4"))).isTrue();

        tombstones.bury(CRD, "one more", "5");

        assertThat(tombstones.cover(holder(CRD, "u0", "4"))).isFalse();
        assertThat(tombstones.cover(holder(CRD, "u1", "4"))).isTrue();
        assertThat(tombstones.cover(holder(CRD, "one more", "4"))).isTrue();
    }

    @Test
    void list_forgetsTheDeletionsOfItsTypesAlone() {
        tombstones.bury(CRD, "u", "5");
        tombstones.bury(API_SERVICE, "u", "5");

        tombstones.forget(CRDS);

        assertThat(tombstones.cover(holder(CRD, "u", "4"))).isFalse();
        assertThat(tombstones.cover(holder(API_SERVICE, "u", "4"))).isTrue();
    }

    @Test
    void lateEvent_bringsBackWhatWasDeleted_onlyAfterSoManyOtherDeletions() {
        ClusterLedger ledger = FleetIndex.create().open(new ClusterName("prod"), CRDS);
        ledger.relist(CRDS, List.of(), "1");
        Holder first = holder(CRD, "u0", "");
        ledger.upsert(first);
        for (int i = 0; i < KEPT; i++) {
            ledger.delete(CRD, "any", "u" + i, "");
        }
        assertThat(ledger.upsert(first).effect()).isEqualTo(Outcome.Effect.STALE);

        ledger.delete(CRD, "any", "one more", "");

        assertThat(ledger.upsert(first).effect()).isEqualTo(Outcome.Effect.CHANGED);
    }

    private static Holder holder(HolderType type, String uid, String resourceVersion) {
        return new Holder(type, "any", uid, resourceVersion, List.of());
    }
}
