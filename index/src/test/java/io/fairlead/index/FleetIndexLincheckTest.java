package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lookups beside writers answer what was true at one moment between their call and their return. */
@Timeout(120)
class FleetIndexLincheckTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    @Test
    void lookup_besideWriters_isLinearizable() {
        options(6, 300).check(Whole.class);
    }

    @Test
    void relistInTwoSteps_isCaught() {
        assertThatThrownBy(() -> options(5, 500).check(HalfBuilt.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static StressOptions options(int iterations, int invocations) {
        return new StressOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** One cluster with one CRD; what it serves changes so that numbers are given out again at once. */
    public abstract static class Subject {
        final ClusterName cluster = new ClusterName("prod");
        final FleetIndex index = FleetIndex.create();
        final ClusterLedger ledger = index.open(cluster, CRDS);

        Subject() {
            ledger.relist(CRDS, List.of(), "");
        }

        static Holder serving(int version) {
            GroupVersion groupVersion = new GroupVersion("example.com", "v" + version);
            return new Holder(HolderType.CRD, "foos", "u", "", List.of(Contribution.of(groupVersion, Set.of("foos"))));
        }

        Answer answer(int version) {
            return index.lookup(cluster, "example.com", "v" + version);
        }
    }

    /** The index as it is. */
    @Param(name = "version", gen = IntGen.class, conf = "1:3")
    public static final class Whole extends Subject {
        @Operation
        public Outcome.Effect serve(@Param(name = "version") int version) {
            return ledger.upsert(serving(version)).effect();
        }

        @Operation
        public Outcome.Effect relist(@Param(name = "version") int version) {
            return ledger.relist(CRDS, List.of(serving(version)), "").effect();
        }

        @Operation
        public Outcome.Effect relistEmpty() {
            return ledger.relist(CRDS, List.of(), "").effect();
        }

        @Operation
        public Outcome.Effect markLost() {
            return ledger.markLost(CRDS).effect();
        }

        @Operation
        public Answer lookup(@Param(name = "version") int version) {
            return answer(version);
        }
    }

    /** An index that empties itself before it takes a list in. */
    @Param(name = "version", gen = IntGen.class, conf = "1:2")
    public static final class HalfBuilt extends Subject {
        private static final long GAP_NANOS = 200_000;

        @Operation
        public void relist(@Param(name = "version") int version) {
            ledger.relist(CRDS, List.of(), "");
            LockSupport.parkNanos(GAP_NANOS);
            ledger.relist(CRDS, List.of(serving(version)), "");
        }

        /** Begins within the other's gap, on any machine. */
        @Operation
        public Answer lookup(@Param(name = "version") int version) {
            LockSupport.parkNanos(GAP_NANOS / 4);
            return answer(version);
        }
    }
}
