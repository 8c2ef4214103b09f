package io.fairlead.cli.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.cli.FairleadCommand;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.gateway.ConfiguredFiles;
import io.fairlead.gateway.Gateway;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests of the trial, for seconds; that a server learns from them is shown by DistributionIT. */
class RehearsalTest {
    private static final int REQUESTS = 400;

    @Test
    void rehearsal_endsAtItsLimit_andLeavesNoCluster(@TempDir Path folder) throws Exception {
        try (Gateway _ = trialServer(folder);
                Rehearsal rehearsal = new Rehearsal(folder)) {
            assertThat(rehearsal.run(REQUESTS, Duration.ofMinutes(1))).isGreaterThan(REQUESTS / 2);
        }
    }

    @Test
    void ordinaryCommands_succeedAndLeaveNoCluster(@TempDir Path folder) throws Exception {
        Path kubeconfig = folder.resolve("server/admin.kubeconfig");
        StringWriter left = new StringWriter();
        try (Gateway _ = trialServer(folder)) {
            OrdinaryCommands.run(FairleadCommand::execute, kubeconfig);

            FairleadCommand.execute(
                    List.of("cluster", "list", "--kubeconfig", kubeconfig.toString()),
                    new PrintWriter(left),
                    new PrintWriter(left));
        }
        assertThat(left.toString().lines()).hasSize(2).last().asString().startsWith("root ");
    }

    @Test
    void ordinaryCommandThatFails_isNamed() {
        assertThatThrownBy(() -> OrdinaryCommands.run(
                        (arguments, out, _) -> {
                            out.print("no");
                            return arguments.contains("top") ? 1 : 0;
                        },
                        Path.of("absent")))
                .hasMessage("'top' failed: no");
    }

    private static Gateway trialServer(Path folder) throws Exception {
        Files.createDirectory(folder.resolve("server"));
        Files.writeString(folder.resolve("tokens"), "token,rehearsal,1\n");
        Configuration configuration = ConfigurationReader.read(
                null,
                Map.of(),
                Map.of(
                        "dataDir", folder.resolve("server").toString(),
                        "securePort", "0",
                        "metricsAddress", "off",
                        "shutdown.delay", "0s",
                        "tokenAuthFile", folder.resolve("tokens").toString()),
                new ConfiguredFiles(InstantSource.system()));
        return Gateway.start(configuration, _ -> configuration);
    }

    @Test
    void commandWithoutItsLauncher_saysWhatToStart() {
        StringWriter errors = new StringWriter();

        int exitCode =
                FairleadCommand.execute(List.of("warm"), new PrintWriter(new StringWriter()), new PrintWriter(errors));

        assertThat(exitCode).isEqualTo(1);
        assertThat(errors).hasToString("error: the launcher makes the cache\nhint:  start this as 'fairlead warm'\n");
    }
}
