package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The request path's lookup makes no garbage. */
class LookupAllocationTest {
    private static final int CALLS = 100_000;
    private static final ClusterName PROD = new ClusterName("prod");

    private final FleetIndex index = FleetIndex.create();

    @Test
    void lookup_allocatesNothing() {
        index.open(PROD, Set.of(HolderType.CRD)).relist(Set.of(HolderType.CRD), List.of(foos()), "1");

        assertThat(allocatedBytes(() -> index.lookup(PROD, "example.com", "v1")))
                .isLessThan(CALLS);
        assertThat(allocatedBytes(() -> index.lookup(PROD, "example.com", "v1", "foos")))
                .isLessThan(CALLS);
        assertThat(allocatedBytes(() -> index.lookup(PROD, "example.com", "v1", "bars")))
                .isLessThan(CALLS);
        assertThat(allocatedBytes(() -> index.lookup(PROD, "other.example.com", "v1", "foos")))
                .isLessThan(CALLS);
    }

    @Test
    void explain_allocates_soThatTheMeasurementCanFail() {
        index.open(PROD, Set.of(HolderType.CRD)).relist(Set.of(HolderType.CRD), List.of(foos()), "1");

        assertThat(allocatedBytes(() -> index.explain(PROD, "example.com", "v1", "foos")))
                .isGreaterThan(CALLS);
    }

    private static Holder foos() {
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos"));
        return new Holder(HolderType.CRD, "foos.example.com", "u1", "1", List.of(contribution));
    }

    /** The bytes of many calls together; what the first calls allocate for linking and compiling counts little. */
    private static long allocatedBytes(Supplier<Object> call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Object last = "";
        for (int i = 0; i < CALLS; i++) {
            last = call.get();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            last = call.get();
        }
        long after = threads.getCurrentThreadAllocatedBytes();
        assertThat(last).isNotNull();
        return after - before;
    }
}
