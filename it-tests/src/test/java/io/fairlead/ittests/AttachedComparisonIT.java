package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.KubectlSession.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * kubectl says the same of an attached cluster through Fairlead as it says of it directly: by path in every step, by host
 * and by header in the steps in which one form could differ from another.
 */
final class AttachedComparisonIT {
    private static Map<String, Outcome> direct = Map.of();
    private static Map<String, Outcome> byPath = Map.of();
    private static Map<String, Outcome> byHost = Map.of();
    private static Map<String, Outcome> byHeader = Map.of();
    private static List<Output> administrator = List.of();

    @BeforeAll
    static void performEveryWay() throws Exception {
        try (ComparedCluster cluster = ComparedCluster.start(Checkout.scratch("AttachedComparisonIT"))) {
            direct = cluster.directly(ComparisonSteps.all());
            byPath = cluster.byPath(ComparisonSteps.all());
            byHost = cluster.byHost(ComparisonSteps.brief());
            byHeader = cluster.byHeader(ComparisonSteps.brief());
            administrator = cluster.administrator();
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
    Stream<DynamicTest> byHost_commandsSayTheSame() {
        return ComparedCluster.same(direct, byHost);
    }

    @TestFactory
    Stream<DynamicTest> byHeader_commandsSayTheSame() {
        return ComparedCluster.same(direct, byHeader);
    }

    @Test
    void administrator_isWhoTheyAreDirectly() {
        assertThat(administrator.getFirst().output()).contains("fairlead-admin");
        assertThat(administrator.getLast()).isEqualTo(administrator.getFirst());
    }
}
