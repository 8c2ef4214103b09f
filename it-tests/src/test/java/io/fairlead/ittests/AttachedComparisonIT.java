package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.KubectlSession.Outcome;
import io.fairlead.ittests.KubectlSession.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** kubectl says the same of an attached cluster through Fairlead as it says of it directly. */
final class AttachedComparisonIT {
    private static final String STRANGER_TOKEN = "token-of-a-stranger";
    private static final Path FOLDER = Checkout.scratch("AttachedComparisonIT");
    private static final List<Step> STEPS = ComparisonSteps.all();

    private static Map<String, Outcome> direct = Map.of();
    private static Map<String, Outcome> throughFairlead = Map.of();

    @BeforeAll
    static void performBothWays() throws Exception {
        var stranger = new KubeCluster.User(STRANGER_TOKEN, "stranger", "uid-of-a-stranger", "strangers");
        try (var attached = new AttachedCluster(FOLDER, stranger)) {
            attached.start();
            KubeCluster cluster = attached.kube();
            cluster.startControllerManager();
            Path admin = attached.fairlead().kubeconfigOf("prod");
            Path other = FairleadUsers.admit(attached.fairlead(), "stranger", STRANGER_TOKEN, "prod");

            direct = new KubectlSession(Files.createDirectories(FOLDER.resolve("direct")))
                    .with(ComparisonSteps.ADMIN, cluster.kubeconfig())
                    .with(ComparisonSteps.STRANGER, cluster.kubeconfig("stranger", STRANGER_TOKEN))
                    .perform(STEPS);
            throughFairlead = new KubectlSession(Files.createDirectories(FOLDER.resolve("through")))
                    .with(ComparisonSteps.ADMIN, admin)
                    .with(ComparisonSteps.STRANGER, other)
                    .perform(STEPS);
        }
    }

    @AfterAll
    static void forget() {
        direct = Map.of();
        throughFairlead = Map.of();
    }

    @TestFactory
    Stream<DynamicTest> everyCommand_saysTheSame() {
        return STEPS.stream().map(step -> DynamicTest.dynamicTest(step.name(), () -> assertSame(step.name())));
    }

    private static void assertSame(String step) {
        Outcome expected = Objects.requireNonNull(direct.get(step), step);
        Outcome actual = Objects.requireNonNull(throughFairlead.get(step), step);
        assertThat(actual.output()).as("standard output of %s", step).isEqualTo(expected.output());
        assertThat(actual.errors()).as("standard error of %s", step).isEqualTo(expected.errors());
        assertThat(actual.exitCode()).as("exit code of %s", step).isEqualTo(expected.exitCode());
    }
}
