package io.fairlead.clustersync;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What proves that a cluster has another history, and what does not. */
class OtherHistoryTest {
    private static final Set<HolderType> TYPES = Set.of(BUILT_IN, CRD, API_SERVICE);

    private final ClusterLedger ledger = FleetIndex.create().open(new ClusterName("prod"), TYPES);

    @Test
    void incarnationThatIsOlderThanBefore_provesIt() {
        know(holder(CRD, "foos", "u1", "9"));

        assertThat(proof(holder(CRD, "foos", "u1", "8")))
                .contains("CRD foos is at resourceVersion 8 and was at 9 before");
        assertThat(proof(holder(CRD, "bars", "u2", "3"), holder(CRD, "foos", "u1", "8")))
                .isPresent();
    }

    @Test
    void sameNewerOrOtherIncarnation_provesNothing() {
        know(holder(CRD, "foos", "u1", "9"));

        assertThat(proof(holder(CRD, "foos", "u1", "9"))).isEmpty();
        assertThat(proof(holder(CRD, "foos", "u1", "10"))).isEmpty();
        assertThat(proof(holder(CRD, "foos", "u2", "8"))).isEmpty();
        assertThat(proof(holder(CRD, "bars", "u1", "8"))).isEmpty();
        assertThat(proof(holder(API_SERVICE, "foos", "u1", "8"))).isEmpty();
        assertThat(proof()).isEmpty();
    }

    @Test
    void serversOwnApiServices_allWithOtherUids_proveIt() {
        know(holder(BUILT_IN, "v1.", "u1", "1"), holder(BUILT_IN, "v1.apps", "u2", "2"));

        assertThat(proof(holder(BUILT_IN, "v1.", "x1", "1"), holder(BUILT_IN, "v1.apps", "x2", "2")))
                .hasValueSatisfying(proof -> assertThat(proof).contains("another uid"));
        assertThat(proof(holder(BUILT_IN, "v1.", "x1", "1"))).isPresent();
    }

    @Test
    void serversOwnApiServices_ofWhichOneIsTheSame_orNoneIsKnown_proveNothing() {
        know(holder(BUILT_IN, "v1.", "u1", "1"), holder(BUILT_IN, "v1.apps", "u2", "2"));

        assertThat(proof(holder(BUILT_IN, "v1.", "x1", "1"), holder(BUILT_IN, "v1.apps", "u2", "2")))
                .isEmpty();
        assertThat(proof(holder(BUILT_IN, "v1.batch", "x3", "1"))).isEmpty();
        assertThat(proof(holder(CRD, "v1.", "x1", "1"))).isEmpty();
    }

    private void know(Holder... holders) {
        ledger.relist(TYPES, List.of(holders), "10");
    }

    private Optional<String> proof(Holder... holders) {
        return OtherHistory.proof(ledger.view(), new TypeChange.Complete(TYPES, List.of(holders), "20"));
    }

    private static Holder holder(HolderType type, String name, String uid, String resourceVersion) {
        return new Holder(type, name, uid, resourceVersion, List.of());
    }
}
