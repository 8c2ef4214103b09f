package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code ./fairlead serve} with nothing configured, and what it says when it cannot start. */
final class ServeIT {
    private static final Path FOLDER = Checkout.scratch("ServeIT");

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        fairlead = FairleadProcess.start(FOLDER);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void kubectl_findsTheRootClusterReady() {
        var kubectl = new Kubectl(FOLDER.resolve("kubectl"), fairlead.adminKubeconfig());

        kubectl.succeed("wait", "--for=condition=Ready", "clusters.fairlead.io/root", "--timeout=30s");

        assertThat(kubectl.succeed("get", "clusters"))
                .matches("(?s)NAME +TYPE +READY +VERSION +APIS +AGE\nroot .*True.*");
    }

    @Test
    void files_belongToTheUserAlone() throws Exception {
        assertThat(Files.getPosixFilePermissions(fairlead.dataDir()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(fairlead.adminKubeconfig()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void standardOutput_saysTheEndpointAndTheKubeconfigAndNothingElse() {
        assertThat(fairlead.output())
                .contains(fairlead.endpoint(), fairlead.adminKubeconfig().toString(), "kubectl")
                .doesNotContainIgnoringCase("info", "warn", "debug");
        assertThat(fairlead.output().lines().count()).isLessThanOrEqualTo(5);
    }

    @Test
    void log_isAnObjectOfFlatFieldsALine() {
        assertThat(fairlead.log().lines())
                .isNotEmpty()
                .allMatch(line -> line.matches("\\{\"ts\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\","
                        + "\"level\":\"(info|warn)\",\"logger\":\"io\\.fairlead[a-zA-Z.]+\",\"msg\":\"[^\"]+\""
                        + "(,\"[a-zA-Z]+\":(\"[^\"]*\"|\\d+|true|false))*}"));
    }

    @Test
    void sigterm_endsItWithoutAnError() {
        try (FairleadProcess ended = FairleadProcess.start(Checkout.scratch("ServeIT-sigterm"))) {
            assertThat(ended.stop()).isZero();
        }
    }

    @Test
    void firstStart_hintsAtTheDefaultCluster_andNoLaterOne() {
        assertThat(fairlead.output()).isEqualTo("""
            Fairlead is ready at %1$s
            kubeconfig: %2$s
            try:        kubectl --kubeconfig %2$s get clusters
            hint:       a request that names no cluster goes to "root"; with --selection-default-cluster none it is refused
            """.formatted(fairlead.endpoint(), fairlead.adminKubeconfig()));
        try (FairleadProcess again = FairleadProcess.start(Checkout.scratch("ServeIT-hint"))) {
            again.kill();
            again.start();
            assertThat(again.output()).contains("try:").doesNotContain("hint:");
        }
    }

    @Test
    void dataDirectory_ofAnotherProcess_isNamed() {
        Output second = fairlead.serveAgain("--secure-port", "0");

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors()).contains(fairlead.dataDir().toString());
        assertThat(fairlead.command("cluster", "list").exitCode()).isZero();
    }

    @Test
    void takenPort_isNamed() {
        int port = URI.create(fairlead.endpoint()).getPort();

        Output second =
                FairleadProcess.notStarted(Checkout.scratch("ServeIT-port")).serveAgain("--secure-port", "" + port);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors())
                .contains("" + port, "hint:  stop what listens there, or choose another with --secure-port\n");
        assertThat(second.output()).isEmpty();
    }

    @Test
    void variableOfNoKey_isAWarning_withoutItsValue() {
        Output refused = fairlead.serveAgainWith(
                Map.of("FAIRLEAD_SECURE_PROT", "7000", "FAIRLEAD_SERVICE_HOST", "10.96.0.9", "FAIRLEAD_PORT", "x"));

        assertThat(refused.exitCode()).as("its directory is in use").isEqualTo(1);
        assertThat(refused.errors().lines().filter(line -> line.contains("\"warn\"") && line.contains("variable")))
                .singleElement()
                .asString()
                .contains("\"variable\":\"FAIRLEAD_SECURE_PROT\"")
                .doesNotContain("7000");
    }

    /** RFC 5737 keeps this address for documentation. */
    @Test
    void addressOfAnotherMachine_isNamed() {
        Output refused = FairleadProcess.notStarted(Checkout.scratch("ServeIT-address"))
                .serveAgain("--bind-address", "192.0.2.1", "--secure-port", "16443");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).isEmpty();
        assertThat(refused.errors().lines().filter(line -> !line.startsWith("{")))
                .containsExactly(
                        "error: cannot listen on 192.0.2.1:16443: it is not an address of this machine",
                        "hint:  choose one that is with --bind-address; 0.0.0.0 stands for all of them");
    }

    @Test
    void unknownFlag_isWrongUsage() {
        Output wrong = fairlead.command("serve", "--secure-prot", "0");

        assertThat(wrong.exitCode()).isEqualTo(64);
        assertThat(wrong.errors()).contains("--secure-prot", "--secure-port");
    }
}
