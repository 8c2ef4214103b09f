package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More clusters than the tables of views and keys have room for at first, and clusters whose names collide. */
class ManyClustersTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final int CLUSTERS = 500;

    private final FleetIndex index = FleetIndex.create();

    @AfterEach
    void consistent() throws Exception {
        index.assertConsistent();
        assertThat(CompletableFuture.supplyAsync(index::views).get(30, TimeUnit.SECONDS))
                .as("another thread finds no lock held")
                .isNotEmpty();
    }

    @Test
    void clusters_serveEachTheirOwn_whileOthersComeAndGo() {
        List<ClusterLedger> ledgers = open(IntStream.range(0, CLUSTERS)
                .mapToObj(number -> new ClusterName("c" + number))
                .toList());
        assertThat(index.views()).hasSize(CLUSTERS);
        assertThat(index.keyCount())
                .as("a version that all share, and a resource of each")
                .isEqualTo(1 + CLUSTERS);
        assertThat(index.claimCount()).isEqualTo(2L * CLUSTERS);
        assertOwnAlone(ledgers);

        for (int i = 0; i < CLUSTERS; i += 3) {
            ledgers.get(i).close();
        }

        for (int i = 0; i < CLUSTERS; i++) {
            assertThat(answer(ledgers.get(i).cluster(), plural(i)))
                    .as("cluster %d", i)
                    .isEqualTo(i % 3 == 0 ? Answer.UNKNOWN : Answer.SERVED);
        }
        assertThat(index.views()).hasSize(CLUSTERS - (CLUSTERS + 2) / 3);
    }

    @Test
    void clusterThatComesAndGoesAgainAndAgain_keepsTheOthersInSight() {
        List<ClusterLedger> ledgers = open(IntStream.range(0, 100)
                .mapToObj(number -> new ClusterName("c" + number))
                .toList());

        for (int round = 0; round < 1_000; round++) {
            ClusterLedger guest = index.open(new ClusterName("guest-" + round), CRDS);
            guest.relist(CRDS, List.of(crd("guests-" + round)), "1");
            guest.close();
        }

        assertOwnAlone(ledgers);
        assertThat(index.keyCount()).isEqualTo(1 + ledgers.size());
        assertThat(index.views()).hasSize(ledgers.size());
    }

    @Test
    void clustersWhoseNamesHashAlike_areToldApart() {
        List<ClusterName> names = new ArrayList<>();
        for (int bits = 0; bits < 128; bits++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 7; bit++) {
                name.append((bits >>> bit & 1) == 0 ? "ao" : "c1");
            }
            names.add(new ClusterName(name.toString()));
        }
        assertThat(names.stream().mapToInt(ClusterName::hashCode).distinct().count())
                .isEqualTo(1);

        List<ClusterLedger> ledgers = open(names);

        assertOwnAlone(ledgers);
        ledgers.get(7).close();
        assertThat(answer(names.get(7), plural(7))).isEqualTo(Answer.UNKNOWN);
        assertThat(answer(names.get(127), plural(127))).isEqualTo(Answer.SERVED);
        index.open(names.get(7), CRDS).relist(CRDS, List.of(crd(plural(7))), "1");
        assertOwnAlone(ledgers);
    }

    private List<ClusterLedger> open(List<ClusterName> names) {
        List<ClusterLedger> ledgers = new ArrayList<>();
        for (ClusterName name : names) {
            ClusterLedger ledger = index.open(name, CRDS);
            ledger.relist(CRDS, List.of(crd(plural(ledgers.size()))), "1");
            ledgers.add(ledger);
        }
        return ledgers;
    }

    private void assertOwnAlone(List<ClusterLedger> ledgers) {
        for (int i = 0; i < ledgers.size(); i++) {
            ClusterName cluster = ledgers.get(i).cluster();
            assertThat(answer(cluster, plural(i))).as("%s", cluster).isEqualTo(Answer.SERVED);
            assertThat(answer(cluster, plural((i + 1) % ledgers.size())))
                    .as("%s", cluster)
                    .isEqualTo(Answer.ABSENT);
        }
    }

    private Answer answer(ClusterName cluster, String plural) {
        return index.lookup(cluster, "example.com", "v1", plural);
    }

    private static String plural(int number) {
        return "r" + number;
    }

    private static Holder crd(String plural) {
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural));
        return new Holder(HolderType.CRD, plural + ".example.com", "u", "1", List.of(contribution));
    }
}
