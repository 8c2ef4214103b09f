package io.fairlead.benchmarks.index;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.fairlead.index.Answer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A relist replaces v1 by v2 while a reader asks for v2 first: once it sees v2, it no longer sees v1. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "before the swap")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "after the swap")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the swap came between the two questions")
@Outcome(id = "1, 1", expect = FORBIDDEN, desc = "a mixture of both views")
@Outcome(expect = FORBIDDEN, desc = "an answer that neither view gives")
@State
public class IndexVisibilityStress {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);

    private final FleetIndex index = FleetIndex.create();
    private final ClusterLedger ledger = index.open(PROD, CRDS);

    public IndexVisibilityStress() {
        ledger.relist(CRDS, List.of(serving("v1")), "1");
    }

    @Actor
    public void writer() {
        ledger.relist(CRDS, List.of(serving("v2")), "2");
    }

    @Actor
    public void reader(II_Result result) {
        result.r1 = number(index.lookup(PROD, "example.com", "v2", "foos"));
        result.r2 = number(index.lookup(PROD, "example.com", "v1", "foos"));
    }

    private static int number(Answer answer) {
        return switch (answer) {
            case SERVED -> 1;
            case ABSENT -> 0;
            case UNKNOWN -> -1;
        };
    }

    private static Holder serving(String version) {
        Contribution contribution = Contribution.of(new GroupVersion("example.com", version), Set.of("foos"));
        return new Holder(HolderType.CRD, "foos.example.com", "u", "", List.of(contribution));
    }
}
