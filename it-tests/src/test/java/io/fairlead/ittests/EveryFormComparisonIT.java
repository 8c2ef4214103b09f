package io.fairlead.ittests;

import io.fairlead.ittests.KubectlSession.Outcome;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What {@link AttachedComparisonIT} does by path, in every step by every form. */
@Tag("endurance")
final class EveryFormComparisonIT {
    private static Map<String, Outcome> direct = Map.of();
    private static Map<String, Outcome> byPath = Map.of();
    private static Map<String, Outcome> byHost = Map.of();
    private static Map<String, Outcome> byHeader = Map.of();

    @BeforeAll
    static void performEveryWay() throws Exception {
        try (ComparedCluster cluster = ComparedCluster.start(Checkout.scratch("EveryFormComparisonIT"))) {
            direct = cluster.directly(ComparisonSteps.all());
            byPath = cluster.byPath(ComparisonSteps.all());
            byHost = cluster.byHost(ComparisonSteps.all());
            byHeader = cluster.byHeader(ComparisonSteps.all());
        }
    }

    @AfterAll
    static void forget() {
        direct = Map.of();
        byPath = Map.of();
        byHost = Map.of();
        byHeader = Map.of();
    }

    @TestFactory
    Stream<DynamicTest> byPath_everyCommandSaysTheSame() {
        return ComparedCluster.same(direct, byPath);
    }

    @TestFactory
    Stream<DynamicTest> byHost_everyCommandSaysTheSame() {
        return ComparedCluster.same(direct, byHost);
    }

    @TestFactory
    Stream<DynamicTest> byHeader_everyCommandSaysTheSame() {
        return ComparedCluster.same(direct, byHeader);
    }
}
