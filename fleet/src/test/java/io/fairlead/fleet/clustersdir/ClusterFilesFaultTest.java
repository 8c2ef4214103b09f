package io.fairlead.fleet.clustersdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.root.Answering;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of files that cannot be used. */
final class ClusterFilesFaultTest extends ClusterFilesFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing\n",
                "spec: [",
                "a: 1\na: 2\n",
                "[]",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: default}\n",
                "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\nmetadata: {name: Dev}\n",
                "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\nmetadata: {name: prod}\nspec: {}\n"
            })
    void fileThatCannotBeUsed_changesNothingAndIsReported(String broken) throws Exception {
        write("dev.yaml", DEV);
        write("prod.yaml", PROD);
        ClusterFiles started = start();
        ObjectNode before = root.cluster("prod");

        write("prod.yaml", broken);

        eventually("it is reported", () -> started.failedCount() == 1);
        assertThat(started.detail()).contains("1 of 2 files not applied, see the log");
        assertThat(started.failure()).isEmpty();
        assertThat(root.cluster("prod")).isEqualTo(before);
        assertThat(exists("dev")).isTrue();

        write("prod.yaml", PROD);
        eventually("it is applied again", () -> started.failedCount() == 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        kind: Cluster, metadata: {name: prod}, spec: {atached: {endpoints: ['https://10.0.0.1']}} | unknown field "spec.atached"
        kind: Cluster, metadata: {name: prod}, spec: {hosted: {}, displayNme: Dev}                | unknown field "spec.displayNme"
        """)
    void fieldThatItsKindDoesNotKnow_isNamed(String object, String problem) throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "{apiVersion: fairlead.io/v1alpha1, " + object + "}\n");
            start();

            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .startsWith("WARN A file of clusters is not applied")
                    .contains(problem, "prod.yaml");
        }
        assertThat(exists("prod")).isFalse();
    }

    @Test
    void brokenFileThatIsRemoved_isNotSaidToBeApplied() throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "{");
            ClusterFiles started = start();
            Files.delete(folder.resolve("prod.yaml"));
            eventually("it is gone", () -> started.failedCount() == 0);

            assertThat(lines.texts())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("INFO A file of clusters that was not applied was removed")
                    .contains("prod.yaml");
        }
    }

    @Test
    void fileThatIsNoYaml_isToldByTheLine() throws Exception {
        try (LogLines lines = new LogLines(ClusterFiles.class)) {
            write("prod.yaml", "apiVersion: fairlead.io/v1alpha1\nkind: Cluster\n  metadata: {name: prod}\n");
            start();

            assertThat(lines.texts()).singleElement().asString().contains("invalid YAML: line 3, column ", "prod.yaml");
        }
    }

    @Test
    void brokenFile_atTheStart_keepsWhatCameFromItBefore() throws Exception {
        write("prod.yaml", PROD);
        start().close();
        write("prod.yaml", "spec: [");

        start();

        assertThat(exists("prod")).isTrue();
    }

    @Test
    void objectInTwoFiles_isTheFirstOnes() throws Exception {
        write("a.yaml", DEV);
        write("b.yaml", DEV.replace("Dev", "Other") + "---\n" + PROD);

        ClusterFiles started = start();

        assertThat(displayName("dev")).isEqualTo("Dev");
        assertThat(exists("prod")).isFalse();
        assertThat(started.failedCount()).isEqualTo(1);
    }

    @Test
    void objectInTwoFiles_staysTheFirstOnesWhileThatCannotBeRead() throws Exception {
        write("a.yaml", DEV);
        write("b.yaml", DEV.replace("Dev", "Other"));
        ClusterFiles started = start();

        write("a.yaml", "spec: [");

        eventually("both are reported", () -> started.failedCount() == 2);
        assertThat(displayName("dev")).isEqualTo("Dev");
        started.close();
        assertThat(start().failedCount()).isEqualTo(2);
        assertThat(displayName("dev")).isEqualTo("Dev");

        Files.delete(folder.resolve("a.yaml"));
        eventually("the other takes over", () -> displayName("dev").equals("Other"));
    }

    @Test
    void linkToNowhere_isOneFailedFileAmongOthers() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("bad.yaml"), Path.of("nowhere"));
        write("dev.yaml", DEV);

        ClusterFiles started = start();

        assertThat(source("dev")).isEqualTo("dev.yaml");
        assertThat(started.detail()).contains("1 of 2 files not applied, see the log");
        write("dev.yaml", DEV.replace("Dev", "Changed"));
        eventually("the other file", () -> displayName("dev").equals("Changed"));
        Files.delete(link);
        eventually("all is well", () -> started.failedCount() == 0);
    }

    @Test
    void refusedCluster_leavesTheSecretOfItsFile() throws Exception {
        write("prod.yaml", PROD);
        ClusterFiles started = start();
        ObjectNode before = secret("prod-token");

        write("prod.yaml", PROD.replace("t0ken", "other").replace("https://", "http://"));

        eventually("it is reported", () -> started.failedCount() == 1);
        assertThat(secret("prod-token")).isEqualTo(before);
    }

    @Test
    void folderThatVanishes_changesNothing() throws Exception {
        write("prod.yaml", PROD);
        ClusterFiles started = start();

        Files.move(folder, folder.resolveSibling("away"));
        try {
            eventually("it is reported", () -> started.failedCount() == 1);
            assertThat(exists("prod")).isTrue();
        } finally {
            Files.move(folder.resolveSibling("away"), folder);
        }
        eventually("it is well again", () -> started.failedCount() == 0);
        assertThat(exists("prod")).isTrue();
    }

    @Test
    void start_withMoreFilesThanThereMayBe_fails_andNamesTheKey() throws IOException {
        Files.writeString(folder.resolve("one.yaml"), "");
        Files.writeString(folder.resolve("two.yaml"), "");

        assertThatThrownBy(() -> new ClusterFiles(folder, new RootApi(root.root), 1).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 1 files")
                .hasMessageContaining("limits.clusterFilesMax");
    }

    @Test
    void start_withoutTheFolder_fails() {
        assertThatThrownBy(() -> new ClusterFiles(folder.resolve("nowhere"), new RootApi(root.root), 1_000).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void error_endsNotTheFollowing() throws IOException {
        AtomicInteger errorsToCome = new AtomicInteger();
        Answering failing = new Answering(root.root, request -> {
            if (errorsToCome.getAndDecrement() > 0) {
                throw new OutOfMemoryError("of the test");
            }
            return root.root.baseHandler().serve(request);
        });
        ClusterFiles started = new ClusterFiles(folder, new RootApi(failing), 1_000, Duration.ofMillis(50));
        files = Optional.of(started);
        started.start();

        errorsToCome.set(2);
        write(
                "dev.yaml",
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: dev}, spec: {hosted: {}}}");

        eventually("dev is declared", () -> exists("dev"));
        assertThat(errorsToCome.get()).isNotPositive();
        assertThat(started.work().isAlive()).isTrue();
    }
}
