package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands exit with and say: scripts rely on both. */
final class ExitCodesIT {
    private static final Path FOLDER = Checkout.scratch("ExitCodesIT");
    private static final FairleadProcess FAIRLEAD = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        FAIRLEAD.start();
    }

    @AfterAll
    static void stop() {
        FAIRLEAD.close();
    }

    /** UNKNOWN, with exit code 3, is in {@link UnknownIT}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        served -c root core/v1/configmaps           | 0  | SERVED
        served -c root example.com/v1               | 1  | ABSENT
        served -c none core/v1                      | 4  | cluster "none" is not registered
        served -c root v1/pods                      | 64 | expected core/v1/pods
        served -c root                              | 64 | GROUP/VERSION[/RESOURCE]
        index verify -c root                        | 0  | 0 mismatches
        types lock                                  | 0  | "name" : "root"
        types lock -c none                          | 4  | none
        types verify --lock absent.lock             | 4  | absent.lock: there is no such file
        cluster delete none                         | 1  | "none"
        cluster create Not_A_Label                  | 64 | Not_A_Label
        cluster attach prod --from-kubeconfig absent| 1  | absent
        clusters                                    | 64 | clusters
        --context=none cluster list                 | 64 | --context=none
        config check absent.yaml                    | 1  | absent.yaml
        """)
    void command_exitsAsDocumented(String command, int exitCode, String says) {
        Output output = FAIRLEAD.command(command.split(" "));

        assertThat(output.exitCode()).as("%s", output).isEqualTo(exitCode);
        assertThat(output.output() + output.errors()).contains(says);
        if (exitCode == 64) {
            assertThat(output.output()).isEmpty();
        }
    }

    @Test
    void withoutAServer_theKubeconfigIsNamed() {
        Output output = Output.of(
                FOLDER,
                Map.of("FAIRLEAD_KUBECONFIG", "/nowhere/admin.kubeconfig"),
                "",
                FairleadProcess.COMMAND_TIMEOUT,
                List.of(Checkout.launcher().toString(), "cluster", "list"));

        assertThat(output.exitCode()).isEqualTo(1);
        assertThat(output.errors()).startsWith("error: /nowhere/admin.kubeconfig does not exist");
    }

    @Test
    void configCheck_namesLineAndColumn() throws Exception {
        Path file = Files.writeString(FOLDER.resolve("wrong.yaml"), """
            apiVersion: config.fairlead.io/v1alpha1
            kind: FairleadConfiguration
            securePort: 6443
            shutdown:
              delai: 5s
              drainTimeout: soon
            """);

        Output output = FAIRLEAD.command("config", "check", file.toString());

        assertThat(output.exitCode()).as("%s", output).isEqualTo(1);
        assertThat(output.output()).isEmpty();
        assertThat(output.errors().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error: " + file + ":5:3: unknown key \"shutdown.delai\"")
                        .contains("shutdown.delay"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("error: " + file + ":6:")
                        .contains("shutdown.drainTimeout", "\"soon\""));
    }

    @Test
    void configCheck_findsNothingInTheExample() {
        Path example = Checkout.root().resolve("config").resolve("examples").resolve("fairlead.yaml");

        Output output = FAIRLEAD.command("config", "check", example.toString());

        assertThat(output.exitCode()).as("%s", output).isZero();
        assertThat(output.output()).isEqualTo(example + " is valid\n");
    }
}
