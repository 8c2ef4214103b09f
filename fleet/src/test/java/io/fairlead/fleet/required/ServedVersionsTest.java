package io.fairlead.fleet.required;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.NeverOpens;
import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said of a hosted cluster before, while and after it is known what it serves. */
final class ServedVersionsTest {
    private static final ClusterName NAME = new ClusterName("hosted");

    private final FleetIndex index = FleetIndex.create();

    private ServedVersions of(ClusterEntry entry) {
        return new ServedVersions(entry, index.view(NAME), _ -> Optional.empty());
    }

    @Test
    void nothingIsKnown_untilTheViewIsComplete() {
        try (RootCluster root = new RootCluster(_ -> Optional.empty())) {
            ClusterEntry entry = new ClusterEntry.Hosted(root.root);
            assertThat(of(entry).state().status()).isEqualTo(Finding.Status.UNKNOWN);
            ClusterLedger ledger = index.open(NAME, Set.of(HolderType.CRD));
            assertThat(of(entry).state().status()).isEqualTo(Finding.Status.UNKNOWN);

            ledger.relist(Set.of(HolderType.CRD), List.of(Boats.crd("boats", Boats.upTo(8, index))), "");

            assertThat(of(entry).state().status()).isEqualTo(Finding.Status.TRUE);
            assertThat(of(entry).of("v1.example.com").status()).isEqualTo(Finding.Status.TRUE);
            assertThat(of(entry).of("v2.example.com"))
                    .isEqualTo(Finding.no("APIServiceNotFound", "the cluster does not serve \"example.com/v2\""));
        }
    }

    @Test
    void clusterThatIsBeingOpened_isUnknown_andOneThatCannotBeServedSaysWhy() {
        index.open(NAME, Set.of(HolderType.CRD)).relist(Set.of(HolderType.CRD), List.of(), "");

        assertThat(of(new ClusterEntry.Opening(NAME, new NeverOpens())).state().status())
                .isEqualTo(Finding.Status.UNKNOWN);
        assertThat(of(new ClusterEntry.Unready(NAME, "Paused", "spec.paused is true"))
                        .state())
                .isEqualTo(Finding.no("Paused", "spec.paused is true"));
    }
}
