package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs built on client-go see the same through Fairlead as directly, and in a hosted cluster. */
final class GoClientsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Path FOLDER = Checkout.scratch("GoClientsIT");

    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);
    private static Path program = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        program = new GoModule("clients", List.of(new GoModule.Program("clients", ".", "-s -w")))
                .built()
                .resolve("clients");
        Files.createDirectories(FOLDER);
        ATTACHED.start();
        assertThat(ATTACHED.fairlead().command("cluster", "create", "hosted").exitCode())
                .isZero();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"typed", "informer", "openapi"})
    void program_seesTheSameAsDirectly(String kind) {
        Output direct = run(kind, ATTACHED.kube().kubeconfig());
        Output through = run(kind, ATTACHED.fairlead().kubeconfigOf("prod"));
        Output hosted = run(kind, ATTACHED.fairlead().kubeconfigOf("hosted"));

        assertThat(direct.exitCode()).as("%s", direct).isZero();
        assertThat(direct.output()).isNotEmpty();
        assertThat(through).isEqualTo(direct);
        assertThat(hosted).as("in a hosted cluster").isEqualTo(direct);
    }

    private static Output run(String kind, Path kubeconfig) {
        return Output.of(
                FOLDER, Map.of(), "", TIMEOUT, List.of(program.toString(), kind, kubeconfig.toString(), "default"));
    }
}
