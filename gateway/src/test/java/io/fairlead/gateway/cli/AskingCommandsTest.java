package io.fairlead.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.cli.FakeGateway.Printed;
import io.fairlead.model.ClusterName;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people read of a server's answers. */
class AskingCommandsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway(folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void version_ofAServer_saysWhichWasAsked() {
        Printed printed = gateway.run("version");

        assertThat(printed.out().lines())
                .last()
                .isEqualTo("server: fairlead 1.2.3 at " + gateway.url() + " (hosted clusters: Kubernetes v1.36.3)");
        assertThat(printed.err()).isEmpty();
    }

    @Test
    void merge_saysWhatItDid() throws Exception {
        gateway.answer(Paths.FLEET, "{\"clusters\": [{\"name\": \"dev\"}, {\"name\": \"root\"}]}");
        Path file = folder.resolve("mine");

        Printed first = gateway.run("kubeconfig", "--all", "--merge", file.toString());
        Printed names = gateway.run("kubeconfig", "--merge", file.toString(), "-o", "name");

        assertThat(first)
                .isEqualTo(new Printed(
                        0, "merged contexts dev, root into " + file + ", whose current context is dev\n", ""));
        assertThat(names.out()).isEqualTo("dev\nroot\n");
        assertThat(Files.readString(file)).contains("current-context: dev");
    }

    @Test
    void deletion_saysWhatTheServerWarnsOf() {
        gateway.answer(Paths.cluster(new ClusterName("dev")), "{\"metadata\": {\"name\": \"dev\"}}");
        gateway.warn("DELETE", "299 - \"cluster \\\"dev\\\" comes back \\\\o/\"");

        Printed printed = gateway.run("cluster", "delete", "dev");

        assertThat(printed)
                .isEqualTo(new Printed(
                        0, "cluster.fairlead.io/dev deleted\n", "warning: cluster \"dev\" comes back \\o/\n"));
    }
}
