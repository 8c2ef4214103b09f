package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a cluster is asked for its head, and which answers prove that its history was rewound. */
class SeenHeadTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    private final ClusterLedger ledger = FleetIndex.create().open(new ClusterName("prod"), CRDS);
    private final List<CompletableFuture<String>> asked = new ArrayList<>();
    private final List<Long> ended = new ArrayList<>();
    private long nanos = Long.MAX_VALUE; // the elapsed time may overflow
    private final SeenHead seen = new SeenHead(ledger, this::ask, () -> nanos, ended::add);

    @BeforeEach
    void list() {
        ledger.relist(CRDS, List.of(), "100");
    }

    @Test
    void lowerHead_thanOneBefore_endsTheEpoch() {
        answer("140", "328");
        assertThat(seen.seen()).isEqualTo("328");

        answer("328", "274");

        assertThat(ended).containsExactly(1L);
        assertThat(seen.seen()).isEqualTo("328");
    }

    @ParameterizedTest
    @ValueSource(strings = {"328", "400", "", "abc"})
    void equalOrHigherHead_orNone_provesNothing(String later) {
        answer("140", "328");
        answer("328", later);

        assertThat(ended).isEmpty();
        assertThat(seen.seen()).isEqualTo(later.equals("400") ? "400" : "328");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "99", "0", "", "abc", "-1", "0101"})
    void versionThatTheInformersHaveHeardOf_orNone_isNotAskedFor(String named) {
        seen.named(named);

        assertThat(asked).isEmpty();
    }

    @Test
    void cluster_isAskedOnceASecond_andOnceAtATime() {
        answer("140", "328");
        seen.named("400");
        assertThat(asked).hasSize(1);

        nanos += SeenHead.ASKED_EVERY.toNanos();
        seen.named("400");
        nanos += SeenHead.ASKED_EVERY.toNanos();
        seen.named("400");

        assertThat(asked).hasSize(2);
    }

    @Test
    void anotherEpoch_forgets() {
        answer("140", "328");
        nanos += SeenHead.ASKED_EVERY.toNanos();
        seen.named("328");
        ledger.nextEpoch();
        asked.getLast().complete("274");
        assertThat(ended).as("the answer is of the epoch before").isEmpty();
        assertThat(seen.seen()).isEmpty();

        ledger.relist(CRDS, List.of(), "100");
        answer("300", "290");

        assertThat(ended).isEmpty();
        assertThat(seen.seen()).isEqualTo("290");
    }

    private void answer(String named, String head) {
        nanos += SeenHead.ASKED_EVERY.toNanos();
        seen.named(named);
        asked.getLast().complete(head);
    }

    private CompletableFuture<String> ask() {
        asked.add(new CompletableFuture<>());
        return asked.getLast();
    }
}
